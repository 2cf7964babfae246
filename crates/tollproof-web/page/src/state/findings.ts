// Where findings belong in the form.

import { computed } from '@preact/signals';

import type { Field, Finding, Severity } from 'tollproof';
import { get, isEmpty, isObject, isWithin, join, type Json, keys } from '../draft/pointer';
import { isSeen } from '../tasks/tasks';
import { checked, type Draft, fields, settled } from './session';

/** The findings of each field by its pointer; those of no field are under `elsewhere`. */
export interface Placed {
  byField: Map<string, Finding[]>;
  elsewhere: Finding[];
}

const ORDER: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** Findings with errors first. */
export function bySeverity(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}

export const placed = computed<Placed>(() => {
  const byField = new Map<string, Finding[]>();
  const elsewhere: Finding[] = [];
  for (const finding of checked.value.findings) {
    if (isSeen(settled.value, fields.value, finding)) continue;
    const field = fieldAt(fields.value, finding.pointer) ?? firstWithin(finding.pointer);
    if (field === undefined) elsewhere.push(finding);
    else byField.set(field.pointer, [...(byField.get(field.pointer) ?? []), finding]);
  }
  for (const [pointer, list] of byField) byField.set(pointer, bySeverity(list));
  return { byField, elsewhere: bySeverity(elsewhere) };
});

const shown = new Map<string, { text: string; findings: Finding[] }>();

/** The findings of a field: the same list as long as they are the same. */
export function findingsOf(field: Field): Finding[] {
  const findings = placed.value.byField.get(field.pointer) ?? [];
  const text = JSON.stringify(findings);
  const before = shown.get(field.pointer);
  if (before?.text === text) return before.findings;
  shown.set(field.pointer, { text, findings });
  return findings;
}

/** What the open draft has in places that are not fields of the form. */
export const extras = computed(() => extrasOf(settled.value.value, fields.value));

/** What a draft has in places that are not fields. */
export function extrasOf(draft: Json, of: readonly Field[]): { pointer: string; value: Json }[] {
  const found: { pointer: string; value: Json }[] = [];
  const known = of.map((it) => it.pointer);
  const look = (pointer: string, value: Json) => {
    if (known.some((it) => isWithin(pointer, it))) return;
    const hasFields = known.some((it) => isWithin(it, pointer));
    if (hasFields && isObject(value)) {
      for (const [key, entry] of Object.entries(value)) look(join(pointer, key), entry);
    } else if (hasFields && Array.isArray(value)) value.forEach((entry, at) => look(join(pointer, at), entry));
    else found.push({ pointer, value });
  };
  look('', draft);
  return found;
}

/** The innermost field that a pointer is in. */
export function fieldAt(of: readonly Field[], pointer: string): Field | undefined {
  let best: Field | undefined;
  for (const field of of) {
    if (isWithin(pointer, field.pointer) && field.pointer.length >= (best?.pointer.length ?? 1)) best = field;
  }
  return best;
}

/** The field where an object is begun that the draft does not have. */
function firstWithin(pointer: string): Field | undefined {
  if (pointer === '' || !isEmpty(get(settled.value.value, pointer))) return undefined;
  return neededOf(fields.value.filter((it) => isWithin(it.pointer, pointer)))[0];
}

/** Those of some fields that a draft must have, or all of them if it must have none. */
export function neededOf(some: Field[]): Field[] {
  const required = some.filter((it) => it.required);
  return required.length > 0 ? required : some;
}

/** Whether a field is empty, and nobody has written in it or was led to it, in a draft that was begun here: it needs no alarm yet. */
export function isUntouched(field: Field): boolean {
  const draft = settled.value;
  return !draft.opened && !draft.visited.includes(field.pointer) && isEmpty(get(draft.value, field.pointer));
}

/** The sentence of a description that says that a provider's documentation requires what its API does not. */
const CALLED_REQUIRED = /documentation calls it required|documentation de \S+, ce champ est obligatoire|documentación de \S+ dice que es obligatorio/;

/** Whether an empty field is to be filled in though nothing is found in it. A change keeps what was first sent. */
export function isAsked({ value, kind }: Draft, { description, pointer }: Field): boolean {
  return kind !== 'update-request' && CALLED_REQUIRED.test(description) && isEmpty(get(value, pointer));
}

/** Whether findings need a person, and the most severe of them, as the value of an attribute that is absent otherwise. */
export function waits(findings: readonly Finding[]): 'error' | 'warning' | undefined {
  return (['error', 'warning'] as const).find((severity) => findings.some((it) => it.severity === severity));
}

/** What a pointer outside the form is called. */
export function nameAt(pointer: string): string {
  return keys(pointer).join(' › ');
}
