// How far a draft of the table is, as the verdict says it of the open one.

import type { Field } from 'tollproof';
import { fields as fieldsOf, spoken } from '../engine';
import { countReasons } from '../state/explaining';
import { isAsked } from '../state/findings';
import { type Draft, drafts, found, provider, readings } from '../state/session';
import { verdictOn } from '../state/verdict';
import { countTasks } from '../tasks/tasks';
import { t } from '../words';

const known = new WeakMap<Draft, { as: string; fields: Field[] }>();

/** The fields of a draft, which are looked up again only if it changed. */
export function fieldsIn(draft: Draft): Field[] {
  const as = `${provider.value} ${spoken.value}`;
  const before = known.get(draft);
  if (before?.as === as) return before.fields;
  const fields = fieldsOf(provider.value, draft.kind, draft.value);
  known.set(draft, { as, fields });
  return fields;
}

/** Its state in a few words; empty until it is checked. */
export function stateOf(draft: Draft): string {
  const counts = found.value.get(draft.id);
  if (counts === undefined) return '';
  const none = { ...counts, toFill: 0, tasks: { open: 0, no: 0, all: 0 } };
  if (counts.errors > 0) return verdictOn(none);
  const fields = fieldsIn(draft);
  const reasons = countReasons(draft, fields);
  const tasks = countTasks(draft, fields);
  const open = reasons.all - reasons.settled;
  const toFill = fields.filter((it) => isAsked(draft, it)).length;
  const byWords = counts.byWords || readings.value.length === 0;
  const verdict = verdictOn({ ...none, toFill, byWords, tasks, reasons: open });
  return byWords && counts.notes > 0 && counts.warnings + open + tasks.no + toFill === 0 ? `${verdict} · ${t('notRead')}` : verdict;
}

/** How many drafts are ready to send. */
export function countReady(): number {
  return drafts.value.filter(isReady).length;
}

/** The position of the first draft from a place on that is not ready; after the last one, from the first on. */
export function nextUnready(from: number): number | undefined {
  const all = drafts.value.map((draft, at) => ({ draft, at }));
  return [...all.slice(from), ...all.slice(0, from)].find(({ draft }) => !isReady(draft))?.at;
}

function isReady(draft: Draft): boolean {
  // Most drafts are not, and that is seen at once.
  return found.value.get(draft.id)?.byWords === false && readings.value.length > 0 && stateOf(draft) === t('leftNothing');
}
