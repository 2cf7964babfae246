'use strict';
(() => {
  const form = document.getElementById('filters');
  document.documentElement.classList.add('js');
  const words = JSON.parse(document.querySelector('main').dataset.words);
  const number = new Intl.NumberFormat(document.documentElement.lang);
  const say = (name, counts) => words[name].replace(/\{(\w+)\}/g, (_, it) => number.format(counts[it]));
  for (const table of document.querySelectorAll('.tables table')) {
    const more = table.querySelectorAll('tr.more').length;
    if (!more) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'all-rows';
    button.setAttribute('aria-expanded', 'false');
    const title = table.parentElement.querySelector('h3').textContent.toLowerCase();
    const rows = document.createElement('span');
    rows.className = 'vh';
    rows.textContent = ': ' + title;
    const label = open => button.replaceChildren(say(open ? 'fewer' : 'more', { count: more }), rows);
    label(false);
    button.addEventListener('click', () => {
      const open = table.classList.toggle('all');
      button.setAttribute('aria-expanded', String(open));
      label(open);
    });
    table.after(button);
  }
  const folds = document.querySelectorAll('details');
  const opened = new Set();
  addEventListener('beforeprint', () => folds.forEach(it => { if (!it.open) { opened.add(it); it.open = true; } }));
  addEventListener('afterprint', () => { opened.forEach(it => { it.open = false; }); opened.clear(); });
  if (!form) return;

  const findings = [...document.querySelectorAll('.f')];
  const groups = [...document.querySelectorAll('.group')].map(element => ({
    element,
    findings: [...element.querySelectorAll('.f')],
    fold: element.querySelector('details'),
    leftOut: element.querySelector('.left-out'),
    opened: false,
  }));
  const at = id => document.getElementById(id);
  const [search, client, file, rule, shown, nothing] = ['q', 'client', 'file', 'rule', 'shown', 'nothing'].map(at);
  // With one file there is nothing to choose.
  const fileOf = () => (file ? file.value : '');
  const boxes = [...form.querySelectorAll('input[name=s]')];
  const reset = form.querySelector('button[type=reset]');
  const texts = new Map();
  const textOf = element => {
    let text = texts.get(element);
    if (text === undefined) {
      const group = element.closest('.group').firstElementChild.textContent;
      texts.set(element, text = (group + ' ' + element.textContent).toLowerCase());
    }
    return text;
  };
  function filter() {
    const severities = new Set(boxes.filter(it => it.checked).map(it => it.value));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const filtered = words.length > 0 || severities.size < boxes.length || Boolean(client.value || fileOf() || rule.value);
    const matches = element => {
      const data = element.dataset;
      return severities.has(data.s) && (!client.value || data.c === client.value) && (!fileOf() || data.f === fileOf())
        && (!rule.value || data.r === rule.value) && words.every(word => textOf(element).includes(word));
    };
    let count = 0;
    for (const group of groups) {
      let inGroup = 0, folded = 0;
      for (const element of group.findings) {
        const keep = !filtered || matches(element);
        element.hidden = !keep;
        inGroup += keep;
        folded += keep && element.parentElement === group.fold;
      }
      if (group.fold) {
        if (filtered && !group.fold.open) { group.fold.open = true; group.opened = true; }
        if (!filtered && group.opened) { group.fold.open = false; group.opened = false; }
        group.fold.hidden = folded === 0;
        group.fold.firstElementChild.textContent = say('folded', { count: folded });
      }
      if (group.leftOut) group.leftOut.hidden = filtered;
      group.element.hidden = inGroup === 0 && !(group.leftOut && !filtered);
      count += inGroup;
    }
    nothing.hidden = count > 0;
    shown.textContent = say(filtered ? 'some' : 'every', { count, all: findings.length });
    reset.disabled = !filtered;
  }

  for (const row of document.querySelectorAll('tr[data-pick]')) {
    const select = at(row.dataset.pick);
    if (![...select.options].some(it => it.value === row.dataset.value)) continue;
    const name = row.querySelector('.name');
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'name';
    button.textContent = name.textContent;
    button.addEventListener('click', () => {
      form.reset();
      select.value = row.dataset.value;
      filter();
      at('findings').scrollIntoView();
      select.focus({ preventScroll: true });
    });
    name.replaceWith(button);
  }
  form.hidden = false;
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('change', filter);
  form.addEventListener('reset', () => setTimeout(filter));
  let timer;
  search.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
  filter();
})();
