// The report to send to others: one page without scripts, which loads nothing.

import { render } from 'preact';

import type { Field, Finding } from 'tollproof';
import { phrases } from '../parts/phrases';
import { bySeverity, fieldAt, nameAt } from '../state/findings';
import { fileName, provider, providerTitle, rowName, rowOf } from '../state/session';
import { verdictOn } from '../state/verdict';
import { countTasks, settledAs, tasksOf } from '../tasks/tasks';
import { t } from '../words';
import type { Language } from '../words/languages';
import { byBusiness, type Collected } from './collect';
import { excerpt, printable, replacement, textAt } from './plain';

/** The most findings that a report has, as that of the command line. */
export const MOST = 5_000;
/** How much is shown around the words of a finding, in characters. */
const SHOWN = 200;

/** The report as HTML. Texts of drafts are text nodes, which the browser escapes. */
export function report(all: readonly Collected[], language: Language): string {
  const root = document.createElement('div');
  render(<Report all={all} language={language} />, root);
  const body = root.innerHTML;
  render(null, root);
  return `<!doctype html>\n<html lang="${language}">\n${document.getElementById('report-head')?.textContent}${body}\n`;
}

function Report({ all, language }: { all: readonly Collected[]; language: Language }) {
  const findings = all.flatMap((it) => it.findings);
  const shown = new Set(bySeverity(findings).slice(0, MOST));
  const counts = countsOf(findings);
  const groups = [...byBusiness(all)].map(([name, group]) => ({ name, group, counts: countsOf(group.flatMap((it) => it.findings)) }));
  groups.sort((a, b) => b.counts.errors - a.counts.errors || b.counts.warnings - a.counts.warnings);
  const [first] = all;
  // What only a person can see is asked about one draft; about a sheet, it is named.
  const only = all.length === 1 ? first : undefined;
  const toCheck =
    only === undefined
      ? [...new Set(all.flatMap((it) => it.notChecked))].map((text) => ({ text, isDone: false }))
      : tasksOf(only.draft, only.fields).map((task) => ({ text: task.question, isDone: settledAs(only.draft, task) === 'yes' }));
  const tasks = only === undefined ? { open: toCheck.length, no: 0, all: toCheck.length } : countTasks(only.draft, only.fields);
  const byWords = all.find((it) => it.byWords !== null)?.byWords ?? null;
  const title = t('labelled', { label: printable((only?.isNamed && only.name) || fileName.peek() || t('drafts')), text: verdictOn({ ...counts, toFill: 0, tasks, byWords: byWords !== null }) });
  const ready = all.filter((it) => countsOf(it.findings).errors === 0);
  const date = new Date().toLocaleDateString(language, { dateStyle: 'long' });
  return (
    <>
      <title>{title}</title>
      <header>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <p>
          <small>
            {['tollproof', date, providerTitle(provider.peek())].join(' · ')}
          </small>
        </p>
        {byWords !== null && <p>{t('byWords', { n: byWords.tenths })}</p>}
        <div class="tiles">
          {(['errors', 'warnings', 'notes'] as const).map((it) => (
            <p>
              <b>{counts[it]}</b> {t(it)}
            </p>
          ))}
        </div>
      </header>
      <main>
        <h2>{t('toCheck')}</h2>
        <ul class="boxes">
          {toCheck.map(({ text, isDone }) => (
            <li>
              <label>
                <input type="checkbox" defaultChecked={isDone} />
                <span>{sentence(text, first?.fields ?? [])}</span>
              </label>
            </li>
          ))}
        </ul>
        {findings.length > 0 && <h2>{t('findings')}</h2>}
        {findings.length > shown.size && <p>{t('reportLeftOut', { n: findings.length - shown.size, most: MOST })}</p>}
        {groups.map(({ name, group, counts }) => {
          const own = group.map((it) => ({ it, findings: bySeverity(it.findings.filter((finding) => shown.has(finding))) }));
          if (own.every(({ findings }) => findings.length === 0)) return null;
          return (
            <section>
              <h3>
                <bdi>{printable(name)}</bdi> <small>{[t('nErrors', { n: counts.errors }), t('nWarnings', { n: counts.warnings })].join(', ')}</small>
              </h3>
              {own.map(({ it, findings }) => findings.map((finding) => <Article of={it} finding={finding} hasRow={all.length > 1} />))}
            </section>
          );
        })}
        {all.length > 1 && ready.length > 0 && <h2>{t('reportReady')}</h2>}
        {all.length > 1 && (
          <ul>
            {ready.map((it) => (
              <li>
                <bdi>{printable(it.name)}</bdi> <small>{rowIn(it)}</small>
              </li>
            ))}
          </ul>
        )}
      </main>
    </>
  );
}

function Article({ of, finding, hasRow }: { of: Collected; finding: Finding; hasRow: boolean }) {
  const { fields } = of;
  const field = fieldAt(fields, finding.pointer);
  const label = field?.title ?? printable(nameAt(finding.pointer));
  const fix = replacement(finding, of);
  const [before, marked, after] = excerpt(textAt(of, finding), finding, SHOWN).map(printable);
  return (
    <article class={finding.severity}>
      <h4>
        <span class="severity">{t(finding.severity)}</span> {sentence(finding.message, fields)}
      </h4>
      {finding.help !== null && <p>{sentence(finding.help, fields)}</p>}
      {fix !== null && <p><bdi>{printable(fix)}</bdi></p>}
      {finding.related.map(({ message, file, pointer, quote }) => (
        <p>
          {sentence(message, fields)}: <bdi>{printable(file === null ? (quote ?? fieldAt(fields, pointer)?.title ?? nameAt(pointer)) : t('otherRow', rowName(file)))}</bdi>
        </p>
      ))}
      {(before || marked || after) && (
        <blockquote dir="auto">
          {before}
          {marked && <mark>{marked}</mark>}
          {after}
        </blockquote>
      )}
      <p>
        <small>{hasRow ? `${label} · ${rowIn(of)}` : label}</small>
      </p>
    </article>
  );
}

/** A sentence with the names of fields. */
function sentence(text: string, fields: readonly Field[]) {
  return phrases(text, fields).map((it) => (it.is === 'text' ? printable(it.text) : it.is === 'value' ? <code>{printable(it.text)}</code> : <b>{it.text}</b>));
}

function rowIn({ draft, at }: Collected): string {
  return `${t('row')} ${rowOf(draft, at)}`;
}

function countsOf(findings: readonly Finding[]) {
  const [errors, warnings, notes] = (['error', 'warning', 'info'] as const).map((it) => findings.filter(({ severity }) => severity === it).length);
  return { errors: errors ?? 0, warnings: warnings ?? 0, notes: notes ?? 0 };
}
