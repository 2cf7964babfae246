// The drafts of a file as a table, a page at a time.

import { signal } from '@preact/signals';

import { hasUnknown, offerColumns } from '../columns/step';
import { bySeverity } from '../state/findings';
import { type Draft, drafts, fields, fileName, type Found, found, nameOf, provider, providerTitle, rowOf } from '../state/session';
import { FixAllButton } from '../parts/FixAllButton';
import { NextDraft, showRow } from '../parts/NextDraft';
import { ReaderButton } from '../parts/ReaderButton';
import { Sentence } from '../parts/Sentence';
import { t } from '../words';
import { countReady, stateOf } from './rowState';

/** The rows of one page. */
const ROWS = 50;

const page = signal(0);
const wanted = signal('');
const order = signal<'file' | 'worst'>('file');

interface Entry {
  at: number;
  draft: Draft;
  name: string;
  found: Found | undefined;
}

/** Whether the page is being printed: then all rows are. */
const isPrinted = signal(false);
addEventListener('beforeprint', () => (isPrinted.value = true));
addEventListener('afterprint', () => (isPrinted.value = false));

export function Sheet() {
  const all = entries();
  const pages = Math.max(1, Math.ceil(all.length / ROWS));
  const shownPage = Math.min(page.value, pages - 1);
  const shown = isPrinted.value ? all : all.slice(shownPage * ROWS, (shownPage + 1) * ROWS);
  const total = drafts.value.length;
  return (
    <section class="sheet" aria-labelledby="sheet-title">
      <header>
        <h1 id="sheet-title" tabIndex={-1}>{fileName.value || t('drafts')}</h1>
        <Totals />
      </header>
      <div class="tools">
        <label>
          <span>{t('findRow')}</span>
          <input
            type="search"
            value={wanted.value}
            onInput={(event) => {
              wanted.value = event.currentTarget.value;
              page.value = 0;
            }}
          />
        </label>
        <label>
          <span>{t('order')}</span>
          <select value={order.value} onChange={(event) => (order.value = event.currentTarget.value as 'file' | 'worst')}>
            <option value="file">{t('orderFile')}</option>
            <option value="worst">{t('orderWorst')}</option>
          </select>
        </label>
        {hasUnknown.value && (
          <button type="button" aria-haspopup="dialog" onClick={() => void offerColumns()}>
            {t('columnsTitle')}
          </button>
        )}
        <FixAllButton />
        {found.value.size === total && [...found.value.values()].some((it) => it.byWords) && <ReaderButton />}
        {found.value.size === total && <NextDraft />}
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('row')}</th>
            <th scope="col">{t('businessName')}</th>
            <th scope="col" class="first">
              {t('state')}
            </th>
            <th scope="col" class="number">
              {t('errors')}
            </th>
            <th scope="col" class="number">
              {t('warnings')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((it) => (
            <tr key={it.draft.id}>
              <td>{rowOf(it.draft, it.at)}</td>
              <th scope="row">
                <button id={`row-${it.draft.id}`} type="button" class="link" onClick={() => showRow(it.at)}>
                  {it.name}
                </button>
              </th>
              <td class="first">
                <b>{stateOf(it.draft)}</b>
                <FirstFinding found={it.found} />
              </td>
              <Cell kind="error" n={it.found?.errors} />
              <Cell kind="warning" n={it.found?.warnings} />
            </tr>
          ))}
        </tbody>
      </table>
      {all.length === 0 && <p class="empty">{t('noRows')}</p>}
      {pages > 1 && (
        <nav class="pages" aria-label={t('pages')}>
          <button type="button" disabled={shownPage === 0} onClick={() => (page.value = shownPage - 1)}>
            {t('previousPage')}
          </button>
          <span>{t('pageOf', { page: shownPage + 1, pages, n: total })}</span>
          <button type="button" disabled={shownPage === pages - 1} onClick={() => (page.value = shownPage + 1)}>
            {t('nextPage')}
          </button>
        </nav>
      )}
    </section>
  );
}

/** The order and the search of the table, as for a new file. */
export function resetSheet(): void {
  page.value = 0;
  wanted.value = '';
  order.value = 'file';
}

function Totals() {
  const all = [...found.value.values()];
  const withErrors = all.filter((it) => it.errors > 0).length;
  const clean = all.filter((it) => it.errors + it.warnings === 0).length;
  const total = drafts.value.length;
  return (
    <div class="totals">
      {found.value.size < total ? (
        <p>
          <progress max={total} value={found.value.size} aria-label={t('checking')} /> {t('checkedOf', { done: found.value.size, n: total })}
        </p>
      ) : (
        <p role="status">
          {t('rows', { n: total })} · {withErrors > 0 && <b>{t('rowsWithErrors', { n: withErrors })}</b>}
          {withErrors > 0 && ' · '}
          {withErrors + clean < total && `${t('rowsWithWarnings', { n: total - withErrors - clean })} · `}
          {t('rowsReady', { n: countReady() })} · {t('as', { provider: providerTitle(provider.value) })}
        </p>
      )}
    </div>
  );
}

/** The most severe finding of a draft. */
function FirstFinding({ found }: { found: Found | undefined }) {
  const [first] = bySeverity(found?.findings ?? []);
  return first === undefined ? null : (
    <span>
      {' · '}
      <Sentence text={first.message} />
    </span>
  );
}

function Cell({ kind, n }: { kind: 'error' | 'warning'; n: number | undefined }) {
  return <td class="number">{n === undefined ? '…' : n === 0 ? <span class="zero">0</span> : <span class={`badge ${kind}`}>{n}</span>}</td>;
}

function entries(): Entry[] {
  const search = wanted.value.trim().toLowerCase();
  const all = drafts.value.map((draft, at) => {
    return { at, draft, name: nameOf(draft, at, fields.value), found: found.value.get(draft.id) };
  });
  const matching = search === '' ? all : all.filter((it) => it.name.toLowerCase().includes(search));
  if (order.value === 'file') return matching;
  const worse = (a: Entry, b: Entry, kind: 'errors' | 'warnings') => (b.found?.[kind] ?? 0) - (a.found?.[kind] ?? 0);
  return matching.sort((a, b) => worse(a, b, 'errors') || worse(a, b, 'warnings') || a.at - b.at);
}
