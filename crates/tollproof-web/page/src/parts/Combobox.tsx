// A closed list with search, after the combobox pattern of the ARIA practices.

import { useEffect, useId, useRef, useState } from 'preact/hooks';

import type { Choice } from '../form/described';
import { t } from '../words';

interface Properties {
  id: string;
  options: readonly Choice[];
  value: string;
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired?: boolean;
  placeholder?: string;
  /** The id of the element that names it, where it has no label of its own. */
  labelledBy?: string;
  /** Called with an option, or with what was typed if it is none. */
  choose: (value: string) => void;
}

export function Combobox({ id, options, value, describedBy, isInvalid, isRequired, placeholder, labelledBy, choose }: Properties) {
  const list = useId();
  const element = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const shown = typed === null ? options : found(options, typed);
  const isExpanded = isOpen && shown.length > 0;
  const shownAs = options.find((it) => it.value === value)?.title ?? value;

  useEffect(() => {
    if (isExpanded) element.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, isExpanded]);

  const open = () => {
    setOpen(true);
    setActive(options.findIndex((it) => it.value === value));
  };
  const close = () => {
    setOpen(false);
    setTyped(null);
    setActive(-1);
  };
  const take = (chosen: string) => {
    close();
    if (chosen !== value) choose(chosen);
  };
  const only = typed !== null && typed.trim() !== '' && shown.length === 1 ? shown[0] : undefined;
  const leave = () => {
    if (typed === null) return close();
    const written = typed.trim();
    const exact = options.find((it) => [it.value, it.title, it.note].some((name) => name?.toLowerCase() === written.toLowerCase()));
    take((exact ?? only)?.value ?? written);
  };
  /** What a person means who leaves the list with a key. */
  const meant = shown[active] ?? only;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) return open();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + shown.length) % Math.max(shown.length, 1));
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      if (meant) take(meant.value);
    } else if (event.key === 'Tab' && isOpen && (typed || active >= 0)) {
      if (meant) take(meant.value);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return (
    <div class="combobox">
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-labelledby={labelledBy}
        aria-autocomplete="list"
        aria-expanded={isExpanded}
        aria-controls={list}
        aria-activedescendant={isExpanded && active >= 0 ? `${list}-${active}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        aria-required={isRequired}
        placeholder={placeholder}
        value={typed ?? shownAs}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setOpen(true);
          setActive(-1);
        }}
        onClick={() => (isOpen ? undefined : open())}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      <p class="printed">{shownAs}</p>
      {isOpen && shown.length === 0 && (
        <p class="hint" role="status">
          {t('nothingFits')}
        </p>
      )}
      <span class="arrow" aria-hidden="true" />
      <ul id={list} ref={element} role="listbox" aria-label={t('choices')} hidden={!isExpanded}>
        {isExpanded &&
          shown.map((option, at) => (
            <li
              key={option.value}
              id={`${list}-${at}`}
              role="option"
              aria-selected={option.value === value}
              class={at === active ? 'active' : undefined}
              // The press must not take the focus away before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option.value)}
            >
              {option.title}
              {option.note !== null && <small>{option.note}</small>}
            </li>
          ))}
      </ul>
    </div>
  );
}

function found(options: readonly Choice[], typed: string): readonly Choice[] {
  const all = options.filter((it) => matches(it, typed));
  const amount = amountIn(typed);
  if (all.length > 0 || amount === null) return all;
  // In a list of amounts, the least that is enough: "about 300 a month" finds 1,000.
  const enough = options.find((it) => /^\d[\d,\s]*\+?$/.test(it.title) && (amountIn(it.title) ?? 0) >= amount);
  return enough === undefined ? [] : [enough];
}

/** The first number in a text. */
function amountIn(text: string): number | null {
  const digits = /\d[\d,\s]*/.exec(text)?.[0].replace(/\D/g, '');
  return digits === undefined ? null : Number(digits);
}

function matches({ value, title, note }: Choice, typed: string): boolean {
  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[_-]/g, ' ');
  const text = plain(`${value} ${title} ${note ?? ''}`);
  return plain(typed).split(/\s+/).every((word) => text.includes(word));
}
