// How files of the page are named.

import { current, fields, fileName, nameOf, position } from '../state/session';

/** The name of a file of all drafts or of the open one, without its ending. */
export function stem(isWhole: boolean): string {
  const own = fileName.value.replace(/\.[^.]+$/, '');
  if (isWhole) return own || 'drafts';
  const name = nameOf(current.value, position.value, fields.value);
  const plain = name.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replace(/[^a-z0-9]+/g, '-');
  return plain.replace(/^-|-$/g, '').slice(0, 60) || 'draft';
}
