// Readings: lines of the store that `tollproof read` writes.

import type { DraftReading } from 'tollproof';

/** The readings in a text; null if it is something else. */
export function readingsIn(text: string): DraftReading[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const found: DraftReading[] = [];
  for (const line of lines) {
    const reading = parsed(line);
    if (!isReading(reading)) return null;
    found.push(reading);
  }
  return found.length === 0 ? null : found;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isReading(value: unknown): value is DraftReading {
  if (typeof value !== 'object' || value === null) return false;
  const it = value as Record<string, unknown>;
  const texts = [it.id, it.at, it.reader].every((text) => typeof text === 'string');
  return texts && it.version === 1 && typeof it.answers === 'object' && it.answers !== null;
}
