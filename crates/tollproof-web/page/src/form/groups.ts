// The fields of a form in groups, in the order in which people know the answers.

import type { Field, Group } from '../contract';

const ORDER: Group[] = ['business', 'contact', 'address', 'registration', 'use-case', 'message', 'opt-in', 'links', 'numbers', 'other'];

export interface FieldGroup {
  name: Group;
  fields: Field[];
}

/** The groups that have fields, each in the order of the provider. */
export function byGroup(fields: readonly Field[]): FieldGroup[] {
  const groups = ORDER.map((name) => ({ name, fields: fields.filter((it) => it.group === name) }));
  return groups.filter((it) => it.fields.length > 0);
}
