// The fields of a form in groups, in the order in which people know the answers.

import type { Field, FieldGroup } from 'tollproof';

const ORDER: FieldGroup[] = ['business', 'contact', 'address', 'registration', 'use-case', 'message', 'opt-in', 'links', 'numbers', 'other'];

export interface GroupOfFields {
  name: FieldGroup;
  fields: Field[];
}

/** The groups that have fields, each in the order of the provider. */
export function byGroup(fields: readonly Field[]): GroupOfFields[] {
  const groups = ORDER.map((name) => ({ name, fields: fields.filter((it) => it.group === name) }));
  return groups.filter((it) => it.fields.length > 0);
}
