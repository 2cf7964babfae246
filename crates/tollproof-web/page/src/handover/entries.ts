// What a person types into the website of a provider: the fields in the provider's order, with their values in words.

import type { Field, FieldGroup } from 'tollproof';
import { get } from '../draft/pointer';
import { type Value, valuesOf } from '../draft/values';
import { isAsked, placed, waits } from '../state/findings';
import { current, fields } from '../state/session';
import { groupTitle, labelOf, t } from '../words';

export interface Entry {
  field: Field;
  /** Empty if the field is missing. */
  values: Value[];
}

/** The groups in the order in which the provider's fields begin them. Empty fields are left out unless they are missing. */
export function entries(): Map<FieldGroup, Entry[]> {
  const groups = new Map<FieldGroup, Entry[]>();
  for (const field of fields.value) {
    const values = valuesOf(field, get(current.value.value, field.pointer));
    if (values.length === 0 && !field.required && !isAsked(current.value, field) && !waits(placed.value.byField.get(field.pointer) ?? [])) continue;
    groups.set(field.group, [...(groups.get(field.group) ?? []), { field, values }]);
  }
  return groups;
}

/** The values as one text to paste. */
export function joined(entry: Entry): string {
  return entry.values.map((it) => it.text).join(entry.field.type === 'choices' ? ', ' : '\n');
}

/** All of it as text: a line for each field, under the titles of the groups. */
export function asText(): string {
  const groups = [...entries()].map(([group, list]) => {
    const lines = list.map((it) => {
      const text = it.values.length === 0 ? `(${t('missing')})` : joined(it);
      return t('labelled', { label: labelOf(it.field).text, text: text.includes('\n') ? `\n${text}` : text });
    });
    return [groupTitle(group).toLocaleUpperCase(), ...lines].join('\n');
  });
  return `${groups.join('\n\n')}\n`;
}
