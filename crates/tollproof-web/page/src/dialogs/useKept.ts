// What a person does in a dialog, kept when the dialog closes.

import { useState } from 'preact/hooks';

import type { Json } from '../draft/pointer';
import { current } from '../state/session';

const kept = new Map<string, { of: Json; value: unknown }>();

/** A state that is there again when the dialog opens again, until the draft changes. */
export function useKept<T>(name: string, initial: T): [T, (value: T) => void] {
  const of = current.peek().value;
  const before = kept.get(name);
  const [value, setValue] = useState(before?.of === of ? (before.value as T) : initial);
  const keep = (next: T) => {
    kept.set(name, { of, value: next });
    setValue(next);
  };
  return [value, keep];
}
