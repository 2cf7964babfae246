// Opening drafts: files, pasted payloads, and what people wrote.

import { batch } from '@preact/signals';

import { check, fields as fieldsOf, isWorkbook, providers, readFile } from '../engine';
import { withoutEmpty } from '../columns/assign';
import { columnsOf } from '../columns/sheetColumns';
import { linesOf, offerColumns, withLines } from '../columns/step';
import { unguarded } from '../files/csv';
import { isForPrograms } from '../files/lines';
import { readingsIn } from '../files/readings';
import { isTabbed } from '../files/tabbed';
import { wholeIn } from '../files/whole';
import type { DraftReading, Format, Kind, Read } from 'tollproof';
import { get, isEmpty, isObject, type Json, set } from '../draft/pointer';
import { change, chooseProvider, doubtAnswers } from './actions';
import { opened, pastedAnswer } from './dialogs';
import { advice, explainInNext, explainKept } from './explaining';
import { t } from '../words';
import { inFile, markSafe } from './storage';
import { allProviders, current, type Draft, DRAFTS, drafts, fileName, isProviderChosen, isTyped, layout, openedDraft, position, provider, providerTitle, readings, view } from './session';
import { say, withUndo } from './undo';

const ANSWERS: Kind[] = ['verification-record', 'error-response'];
/** Files of programs for letters, which have a text to copy. */
const DOCUMENTS = /\.(docx?|odt|pages|rtf|pdf)$/i;
const TABLES: Format[] = ['csv', 'xlsx'];

/** Opens a file that was chosen or dropped. */
export async function openFile(file: File): Promise<boolean> {
  return openBytes(new Uint8Array(await file.arrayBuffer()), file.name);
}

/** Opens a pasted payload. */
export async function openText(text: string): Promise<boolean> {
  return openBytes(new TextEncoder().encode(text), '');
}

/** Opens a file. The answer of a provider may be about the draft that is opened next. */
async function openBytes(bytes: Uint8Array, name: string): Promise<boolean> {
  const explain = explainInNext();
  const isOpened = await readBytes(bytes, name);
  if (isOpened && explain()) doubtAnswers(advice.value);
  return isOpened;
}

/** Reads what was opened; what cannot be read is said, and the drafts of the page stay. */
async function readBytes(bytes: Uint8Array, name: string): Promise<boolean> {
  const text = isWorkbook(bytes) ? '' : new TextDecoder().decode(bytes);
  const read = readingsIn(text);
  if (read !== null) return openReadings(read);
  const whole = wholeIn(text);
  if (whole !== null) return openWhole(whole, name);
  if (DOCUMENTS.test(name)) {
    say(t('unreadable'), [t('documentFile')]);
    return false;
  }
  let found: Read;
  try {
    found = await readFile(bytes, isTabbed(bytes, name) ? 'table.tsv' : name);
  } catch (error) {
    say(t('unreadable'), error instanceof Error ? [`${error.message}.`] : []);
    return false;
  }
  // What a person wrote is no YAML, even if it looks so.
  const isWritten = found.format === 'yaml' && !isForPrograms(text) && (found.problems.length > 0 || found.documents.every((it) => it.provider === null));
  if (isWritten) return openLines(await withLines({}, await linesOf(text), provider.value), name);
  const problems = found.problems.map((it) => [t('line', { line: it.line }), `${it.message}.`, it.help].filter(Boolean).join(' '));
  if (found.computed.length > 0) problems.push(t('computed', { n: found.computed.length, fields: found.computed.join(', ') }));
  const values = found.documents.map((it) => it.value as Json);
  if (values.length === 0 || found.isDamaged || (problems.length > 0 && values.every(isEmpty)) || values.every((it) => typeof it === 'string')) {
    say(t('unreadable'), problems.length > 0 ? problems : [t('noDraft')]);
    return false;
  }
  if (found.documents.every((it) => it.kind !== null && ANSWERS.includes(it.kind))) {
    pastedAnswer.value = text;
    opened.value = 'explain';
    return true;
  }
  const shown = allProviders().find((it) => it.name === found.provider);
  const isTable = TABLES.includes(found.format);
  // Lines such as "City: Caguas" have the headings of a sheet, and are for the provider that was chosen.
  const isLines = !isTable && shown?.sheet === true && found.format === 'yaml';
  const known = isLines ? undefined : shown?.name;
  const isSheet = (isTable || isLines) && found.documents.every((it) => it.kind === null || DRAFTS.includes(it.kind));
  const chosen = provider.value;
  const { unknown, taken } = columnsOf(isSheet ? values : [], known ?? chosen);
  const texts = found.format === 'yaml' ? values.map((it) => withTexts(it, known ?? chosen)) : found.format === 'csv' ? values.map(withFormulas) : values;
  show(texts.map((it, at) => ({ ...openedDraft(withoutEmpty(it, unknown)), row: found.documents[at]?.row ?? null })), name, known, problems);
  // Notes have no names of a provider: they are read with those of the first one.
  if (found.format === 'notes' && known === providers()[0]?.name) chooseProvider(chosen);
  if (found.format === 'notes' && values.length === 1) {
    const opened = current.value;
    const value = await withLines(opened.value, await linesOf(text), provider.value, [opened.value, ...values]);
    if (current.value === opened) {
      batch(() => {
        change({ value });
        layout.value++;
      });
    }
  }
  // A few headings that a provider shares with others do not show that the sheet is for it.
  if (unknown.some((it) => it.texts.length > 0)) void offerColumns(!isLines && (known === undefined || unknown.length > taken.size), chosen);
  return true;
}

/** Opens what a person wrote line by line, for the provider that was chosen. */
function openLines(value: Json, name: string): boolean {
  if (isEmpty(value)) {
    say(t('unreadable'), [t('noDraft')]);
    return false;
  }
  // What kind of request it is does not change with the lines that get a field.
  show([{ ...openedDraft(value), kind: 'submit-request' }], name);
  return true;
}

/** Shows drafts in place of those before. */
function show(opened: Draft[], name: string, known?: string, problems: string[] = [], more: () => void = () => {}): void {
  withUndo(() => {
    batch(() => {
      if (known !== undefined) {
        provider.value = known;
        isProviderChosen.value = true;
      }
      drafts.value = opened;
      position.value = 0;
      fileName.value = name;
      view.value = opened.length > 1 ? 'sheet' : 'form';
      more();
      layout.value++;
    });
    const as = t('as', { provider: providerTitle(provider.value) });
    // The table says it itself.
    return { words: opened.length > 1 ? t('openedRows', { n: opened.length }) : `${t('openedDraft')} ${as}`, lines: problems };
  });
  if (name !== '') markSafe(false);
}

/** A value with texts where its fields take texts: who writes `Zip: 12345` on a line does not mean a number. */
function withTexts(value: Json, name: string): Json {
  const numbers = fieldsOf(name, undefined, value).filter((it) => it.type !== 'integer' && typeof get(value, it.pointer) === 'number');
  return numbers.reduce((draft, { pointer }) => set(draft, pointer, String(get(draft, pointer))), value);
}

/** A row with the cells that the page has guarded when it wrote the CSV file. */
function withFormulas(value: Json): Json {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, cell]) => [name, typeof cell === 'string' ? unguarded(cell) : cell])) : value;
}

/** Goes on with drafts and all that was answered about them. */
function openWhole(whole: NonNullable<ReturnType<typeof wholeIn>>, name: string): boolean {
  if (!areReadings(whole.readings)) return false;
  if (allProviders().every((it) => it.name !== whole.provider)) {
    say(t('unreadable'), [t('noDraft')]);
    return false;
  }
  show(whole.drafts, name, whole.provider, [], () => {
    readings.value = whole.readings;
    isTyped.value = whole.isTyped;
  });
  for (const [draft, rejection] of whole.rejections) explainKept(draft, rejection);
  markSafe(true);
  return true;
}

/** Whether the engine takes these readings: it refuses those that are not in its shape. */
function areReadings(read: DraftReading[]): boolean {
  try {
    check({}, { readings: read });
    return true;
  } catch (error) {
    say(t('unreadable'), error instanceof Error ? [`${error.message}.`] : []);
    return false;
  }
}

/** Uses readings beside those from before. */
function openReadings(read: DraftReading[]): boolean {
  if (!areReadings(read)) return false;
  const isSafe = inFile.value === 'all';
  readings.value = [...readings.value, ...read];
  if (isSafe) markSafe(true);
  say(t('openedReadings', { n: read.length }));
  return true;
}
