// The step between opening a sheet and checking it: which column is which field.

import { batch, computed, signal } from '@preact/signals';

import type { Field } from 'tollproof';
import { get, type Json, set } from '../draft/pointer';
import { isTaken, labelledLines } from '../files/lines';
import { opened } from '../state/dialogs';
import { allProviders, asFirst, type Draft, drafts, isProviderChosen, layout, provider, waiting } from '../state/session';
import { inSlices } from '../state/slices';
import { columnChoices } from '../state/storage';
import { notice, withUndo } from '../state/undo';
import { t } from '../words';
import { assigned, type ColumnChoice, FULL_NAME, KEEP, LEAVE_OUT } from './assign';
import { knownNames, type KnownNames, plain, proposed } from './proposals';
import { columnsOf, type SheetColumns } from './sheetColumns';

/** What the dialog begins with. */
export interface ColumnsStep {
  names: KnownNames;
  /** The id of the first draft. */
  sheet: string | undefined;
  /** Whether the sheet does not show its provider. */
  isProviderAsked: boolean;
  /** Empty if a person has to choose it. */
  provider: string;
}

let isAsked = false;

/** What the open dialog began with. */
export const step = signal<ColumnsStep | null>(null);

/** How many rows are looked at to tell the provider. */
const FIRST_ROWS = 100;

/** The sheet, or its first rows, as a provider would take it. */
export function sheetFor(name: string, rows = Infinity): SheetColumns {
  const found = columnsOf(drafts.value.slice(0, rows).map((it) => it.value), name);
  return { ...found, unknown: found.unknown.filter((it) => it.texts.length > 0) };
}

/** Whether the drafts have columns to choose fields for. */
export const hasUnknown = computed(() => sheetFor(provider.value).unknown.length > 0);

/** Opens the dialog for the drafts. If the provider is asked for, `chosen` is the one that they were for. */
export async function offerColumns(isProviderAsked = isAsked, chosen = provider.peek()): Promise<void> {
  isAsked = isProviderAsked;
  const first = drafts.peek()[0]?.id;
  if (isAsked) waiting.value = first;
  const names = await knownNames();
  if (drafts.peek()[0]?.id !== first) return;
  const named = step.peek()?.sheet === first ? step.peek()?.provider : undefined;
  step.value = { names, sheet: first, isProviderAsked, provider: isProviderAsked ? (named || mostLikely(names, chosen)) : provider.peek() };
  opened.value = 'columns';
}

/** The texts of what a person wrote, by their labels. */
export async function linesOf(text: string): Promise<Record<string, string>> {
  const names = await knownNames();
  return labelledLines(text, (label) => names.has(plain(label)));
}

/**
 * The draft with the lines that are surely fields of a provider at their places. Others stay under their labels, but those that
 * were read already.
 */
export async function withLines(value: Json, lines: Record<string, string>, name: string, read: Json = value): Promise<Json> {
  const names = await knownNames();
  const isOwn = (label: string) => names.get(plain(label))?.uses.some((use) => use.provider === name) ?? false;
  const isNew = ([label, said]: [string, string]) => isOwn(label) || !isTaken(said, read);
  const whole = { ...(value as object), ...Object.fromEntries(Object.entries(lines).filter(isNew)) } as Json;
  const sheet = columnsOf([whole], name);
  const isSure = ([label, choice]: [string, ColumnChoice]) => choice !== LEAVE_OUT && (choice === FULL_NAME || names.has(plain(label)));
  const choices = new Map([...proposed(sheet, name, names)].filter(isSure));
  for (const { name: label } of sheet.unknown) {
    const choice = choices.get(label);
    if ((choice === undefined || sheet.taken.has(choice)) && isTaken(lines[label] ?? '', read)) choices.set(label, LEAVE_OUT);
  }
  return goneOn(assigned(whole, choices, new Map(sheet.fields.map((field) => [field.name, field])), name), lines, sheet.fields);
}

/** A draft with the whole of those of its texts that are the beginning of a line's. */
function goneOn(draft: Json, lines: Record<string, string>, fields: readonly Field[]): Json {
  return fields.reduce((whole, { pointer, type }) => {
    const begun = type === 'long-text' && get(whole, pointer);
    const said = typeof begun === 'string' && begun !== '' && Object.values(lines).find((it) => it.length > begun.length && it.startsWith(begun));
    return said ? set(whole, pointer, said) : whole;
  }, draft);
}

/** How much better the headings must fit a provider than all others. */
const CLEARLY = 2;

/** The provider that the headings clearly fit, else the one that was named before; empty if none was. */
function mostLikely(names: KnownNames, chosen: string): string {
  const fit = (name: string) => {
    const sheet = sheetFor(name, FIRST_ROWS);
    // Names as a provider spells them say more than others.
    return sheet.taken.size * 1.5 + proposed(sheet, name, names).size;
  };
  const [best, second] = allProviders().map(({ name }) => ({ name, fit: fit(name) })).toSorted((a, b) => b.fit - a.fit);
  if (best !== undefined && best.fit - (second?.fit ?? 0) >= CLEARLY) return best.name;
  return isProviderChosen.peek() ? chosen : '';
}

/** Writes the columns of all drafts to their fields, in one step that can be undone; `done` is called after it. */
export function applyColumns(name: string, { fields }: SheetColumns, choices: ReadonlyMap<string, ColumnChoice>, done: () => void): void {
  const byName = new Map(fields.map((it) => [it.name, it]));
  const all = drafts.peek();
  const changed: Draft[] = [];
  const moved = [...choices].filter(([, choice]) => choice !== KEEP);
  const finish = () => {
    if (drafts.peek() !== all) return;
    const lines = notice.peek()?.lines;
    withUndo(() => {
      batch(() => {
        provider.value = name;
        isProviderChosen.value = true;
        drafts.value = changed;
        layout.value++;
      });
      return { words: t(all.length > 1 ? 'columnsDone' : 'fixedAll', { n: moved.length }), lines };
    });
    isAsked = false;
    columnChoices.value = new Map([...columnChoices.peek(), ...[...choices].map(([column, choice]) => [`${name} ${plain(column)}`, choice] as const)]);
    done();
  };
  inSlices(
    all,
    (draft) => {
      // At another provider, a draft is a first submission again.
      const own = name === provider.peek() ? draft : asFirst(draft);
      changed.push({ ...own, value: assigned(own.value, choices, byName, name) });
    },
    (count) => count === all.length && finish(),
  );
}
