// Drafts with all that people answered about them, in one file to go on from.

import type { DraftReading } from 'tollproof';
import { isObject, type Json } from '../draft/pointer';
import { type Rejection, rejectionOf } from '../state/explaining';
import { type Draft, DRAFTS, isTyped, openedDraft, provider, readings } from '../state/session';
import { readingsIn } from './readings';

/** The ending of its name. */
export const WHOLE = '.tollproof.json';

/** What such a file has. */
interface Whole {
  provider: string;
  isTyped: boolean;
  readings: DraftReading[];
  drafts: Draft[];
  /** The answers of the provider about some of them. */
  rejections: [Draft, Rejection][];
}

/** The file of some drafts. */
export function wholeFile(drafts: readonly Draft[]): Uint8Array {
  const whole = { tollproof: 1, provider: provider.value, isTyped: isTyped.value, readings: readings.value, drafts: drafts.map((it) => ({ ...it, rejection: rejectionOf(it) })) };
  return new TextEncoder().encode(`${JSON.stringify(whole, null, 1)}\n`);
}

/** What such a file has; null if a text is something else. Anyone may have changed it. */
export function wholeIn(text: string): Whole | null {
  if (!/^\s*\{\s*"tollproof":/.test(text)) return null;
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(whole) || whole.tollproof !== 1 || typeof whole.provider !== 'string') return null;
  const found = listOf(whole.drafts, (it) => isObject(it) && isObject(it.value)).map((it) => {
    const written = it as Record<string, Json>;
    return { draft: draftIn(written), rejection: rejectionIn(written.rejection) };
  });
  const drafts = found.map(({ draft }) => draft);
  const read = listOf(whole.readings, isObject).map((it) => JSON.stringify(it));
  return drafts.length === 0 ? null : { provider: whole.provider, isTyped: whole.isTyped === true, readings: readingsIn(read.join('\n')) ?? [], drafts, rejections: found.flatMap(({ draft, rejection }) => (rejection ? [[draft, rejection]] : [])) };
}

function draftIn({ value, row, ticked, visited, answers, optIn, kind, aside, opened }: Record<string, Json>): Draft {
  const isOptIn = isObject(optIn) && ['way', 'business', 'topic', 'place', 'word'].every((it) => isText(optIn[it])) && Object.values(optIn).every(isText);
  return {
    ...openedDraft(value ?? {}),
    row: typeof row === 'number' ? row : null,
    ticked: listOf(ticked, isText) as string[],
    visited: listOf(visited, isText) as string[],
    answers: Object.fromEntries(Object.entries(isObject(answers) ? answers : {}).filter(([, it]) => it === 'yes' || it === 'no')) as Draft['answers'] & {},
    kind: DRAFTS.find((it) => it === kind),
    aside: listOf(aside, (it) => isObject(it) && isText(it.pointer) && it.value !== undefined) as Draft['aside'],
    opened: opened === true,
    ...(isOptIn ? { optIn: optIn as unknown as Draft['optIn'] & {} } : {}),
  };
}

function rejectionIn(it: unknown): Rejection | undefined {
  if (!isObject(it) || !isText(it.text) || !isText(it.assistant)) return undefined;
  const { text, assistant, request, refused, done, found } = it;
  return {
    text: String(text),
    assistant: String(assistant),
    request: typeof request === 'string' ? request : null,
    refused: isObject(refused) ? refused : null,
    done: listOf(done, (at) => typeof at === 'number') as number[],
    found: listOf(found, (at) => typeof at === 'number') as number[],
  };
}

function listOf(value: Json | undefined, is: (it: Json) => boolean): Json[] {
  return Array.isArray(value) ? value.filter(is) : [];
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string';
}
