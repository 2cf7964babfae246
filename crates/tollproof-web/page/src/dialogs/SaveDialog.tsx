// Saves the drafts: for a provider, in a format, and says what has no place there.

import { useEffect, useMemo, useState } from 'preact/hooks';

import { convert, write } from '../engine';
import type { Json } from '../draft/pointer';
import { current, drafts, found, provider, providerTitle, wholeOf } from '../state/session';
import { findingsTable } from '../sheet/findingsTable';
import { countReady } from '../sheet/rowState';
import { Dialog } from '../parts/Dialog';
import { LanguageChoice } from '../parts/LanguageChoice';
import { ProviderChoice } from '../parts/ProviderChoice';
import { Sentence } from '../parts/Sentence';
import { type Collected, collect } from '../reports/collect';
import { markedTables } from '../reports/markedTables';
import { report } from '../reports/Report';
import { left, verdict } from '../parts/Score';
import { hasAnswers } from '../state/explaining';
import { markSafe } from '../state/storage';
import { say } from '../state/undo';
import { language, t } from '../words';
import { copyText } from '../files/clipboard';
import { draftsAsCsv } from '../files/csv';
import { download, type SavedFormat } from '../files/download';
import { draftRows } from '../files/draftRows';
import { stem } from '../files/stem';
import { WHOLE, wholeFile } from '../files/whole';
import { workbook } from '../files/workbook';
import { AskButton } from '../parts/AskButton';
import { hasWebsite } from '../parts/Header';
import { close } from '../state/dialogs';
import { WhichDrafts } from './WhichDrafts';

type Choice = SavedFormat | 'whole' | 'html' | 'marked' | 'findings';

const FORMATS: Choice[] = ['whole', 'xlsx', 'csv', 'json', 'yaml', 'html', 'marked'];
/** What is not to be submitted: to go on from, and with findings, for people. */
const OTHERS: Partial<Record<Choice, { ending: string; type: 'csv' | 'html' | 'json' | 'xlsx' }>> = {
  whole: { ending: WHOLE, type: 'json' },
  html: { ending: '-report.html', type: 'html' },
  marked: { ending: '-marked.xlsx', type: 'xlsx' },
  findings: { ending: '-findings.csv', type: 'csv' },
};

export function SaveDialog() {
  const [target, setTarget] = useState(provider.value);
  const [format, setFormat] = useState(firstChoice);
  const [isWhole, setWhole] = useState(drafts.value.length > 1);
  const [reader, setReader] = useState(language.value);
  const [done, setDone] = useState<number | null>(null);
  const [problem, setProblem] = useState('');
  const stopped = useMemo(() => new AbortController(), []);
  useEffect(() => () => stopped.abort(), []);
  const chosen = isWhole ? drafts.value.map(wholeOf) : [wholeOf(current.value)];
  const { values, left: out } = converted(chosen, target);
  const other = OTHERS[format];
  const hasLanguage = format === 'html' || format === 'marked';
  const isTable = format === 'csv' || format === 'xlsx';
  const bytes = async () => {
    if (format === 'findings') return findingsTable();
    if (format === 'whole') return wholeFile(isWhole ? drafts.value : [current.value]);
    if (hasLanguage) {
      const make = (all: Collected[]) => (format === 'html' ? new TextEncoder().encode(report(all, reader)) : workbook(markedTables(all)));
      return collect<Uint8Array | Promise<Uint8Array>>({ language: reader, isWhole, make, progress: setDone, signal: stopped.signal });
    }
    if (format === 'json' || format === 'yaml') return write(values, format, target).bytes;
    const rows = draftRows(values, target);
    return format === 'csv' ? draftsAsCsv(rows) : workbook([{ name: t('drafts'), rows }]);
  };
  const notes = useMemo(() => (isTable ? notesOn(values, target, format) : []), [isTable, format, target, isWhole]);
  const withErrors = drafts.value.filter((it) => (found.value.get(it.id)?.errors ?? 0) > 0).length;
  const isReady = left.value.errors + left.value.warnings + left.value.toFill === 0;
  const warning = isWhole ? (withErrors > 0 ? t('rowsWithErrors', { n: withErrors }) : '') : isReady ? '' : verdict();
  const choose = (whole: boolean) => {
    setWhole(whole);
    if (!whole && format === 'findings') setFormat('xlsx');
  };
  const attempt = async (action: () => Promise<void>) => {
    try {
      await action();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Dialog title={t('save')} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(async () => {
            const name = `${stem(isWhole)}${other?.ending ?? `${target === provider.value ? '' : `-${target}`}.${format}`}`;
            download(await bytes(), name, other?.type ?? (format as SavedFormat));
            if ((other === undefined || format === 'whole') && (isWhole || drafts.value.length === 1)) markSafe(format === 'whole');
            close();
            say(t('saved', { name }));
          });
        }}
      >
        {warning !== '' && <p class="hint">{warning}</p>}
        {hasAnswers.value && <p class="hint">{t('answersNotSaved', { format: t('format_whole') })}</p>}
        <WhichDrafts isWhole={isWhole} choose={choose} />
        {hasLanguage && <LanguageChoice id="save-language" value={reader} choose={setReader} />}
        {other === undefined && <ProviderChoice id="save-provider" value={target} choose={setTarget} />}
        {out.length > 0 && other === undefined && (
          <div class="left-out">
            <p>{t('leftOut', { provider: providerTitle(target), n: out.length })}</p>
            <ul>
              {out.map(([name, reason]) => (
                <li key={name}>
                  <b>{name}</b>: <Sentence text={reason} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <fieldset>
          <legend>{t('saveAs')}</legend>
          {(isWhole ? [...FORMATS, 'findings' as const] : FORMATS).map((it) => (
            <label key={it}>
              <input type="radio" name="format" checked={format === it} onChange={() => (setFormat(it), setProblem(''))} />{' '}
              {t(`format_${it}`)}
            </label>
          ))}
        </fieldset>
        {notes.length > 0 && (
          <div class="hint" role="status">
            {format === 'csv' && <p>{t(notes.some((it) => it.isFormula) ? 'csvFormulas' : 'csvCells')}</p>}
            <ul>
              {notes.map(({ text }) => (
                <li key={text}>
                  <Sentence text={text} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <p class="about" role="status">
          {done !== null && t('checkedOf', { done, n: chosen.length })}
        </p>
        <p class="problem" role="alert">
          {problem !== '' && <Sentence text={problem} />}
        </p>
        <p class="buttons">
          <button type="submit" class="main">
            {t('download')}
          </button>
          {(other === undefined ? format !== 'xlsx' : format === 'findings') && (
            <button
              type="button"
              onClick={() =>
                attempt(async () => {
                  const text = new TextDecoder().decode(await bytes());
                  if (!(await copyText(text))) throw new Error(t('notCopied'));
                  close();
                  say(t('copied'));
                })
              }
            >
              {t('copy')}
            </button>
          )}
          <button
            type="button"
            onClick={() => {
              close();
              setTimeout(() => print());
            }}
          >
            {t('print')}
          </button>
          <AskButton />
        </p>
      </form>
    </Dialog>
  );
}

/** What is saved if a person chooses nothing else: all that would be lost, or the file that is to be sent. */
function firstChoice(): Choice {
  const isMany = drafts.value.length > 1;
  const isSent = !hasWebsite() && (isMany ? countReady() === drafts.value.length : verdict() === t('leftNothing'));
  if (!isSent && (hasAnswers.value || !(isMany || current.value.opened))) return 'whole';
  return isMany || isSent ? 'xlsx' : 'json';
}

/** What is wrong with cells of a sheet, once for each field. In a workbook, a formula is a text. */
function notesOn(values: Json[], target: string, format: Choice): { text: string; isFormula: boolean }[] {
  try {
    const { notes } = write(values, 'csv', target);
    const shown = notes.filter((it) => format === 'csv' || !it.isFormula);
    return [...new Map(shown.map((it) => [`\`${it.name}\` ${it.reason}.`, it.isFormula])).entries()].map(([text, isFormula]) => ({ text, isFormula }));
  } catch {
    // The button for the download says what is wrong.
    return [];
  }
}

/** The drafts as a provider takes them, and what has no place there, once each. */
function converted(values: Json[], target: string): { values: Json[]; left: [string, string][] } {
  if (target === provider.value) return { values, left: [] };
  const out = new Map<string, string>();
  const all = values.map((it) => {
    const one = convert(it, provider.value, target);
    for (const { name, reason } of one.left) out.set(name, reason);
    return one.value as Json;
  });
  return { values: all, left: [...out] };
}
