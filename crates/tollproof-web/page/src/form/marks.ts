// A text cut at the ranges of its findings.

import type { Finding, Severity } from 'tollproof';

export interface Part {
  text: string;
  severity: Severity | null;
}

const SEVERITIES: Severity[] = ['error', 'warning', 'info'];

/** The parts of a text whose findings are about what it was; where ranges overlap, the most severe counts. */
export function partsOf(text: string, findings: readonly Finding[], checked: unknown): Part[] {
  const was = typeof checked === 'string' ? checked : text;
  const moved = text === was ? findings : findings.map((it) => ({ ...it, range: it.range && movedRange(it.range, was, text) }));
  const ranges = moved.filter((it) => it.range !== null && it.range.end <= text.length && it.range.start < it.range.end);
  const cuts = new Set([0, text.length]);
  for (const { range } of ranges) if (range) cuts.add(range.start).add(range.end);
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((start, at) => {
    const end = places[at + 1] ?? text.length;
    const over = ranges.filter(({ range }) => range !== null && range.start <= start && end <= range.end);
    const severity = SEVERITIES.find((it) => over.some((finding) => finding.severity === it)) ?? null;
    return { text: text.slice(start, end), severity };
  });
}

type Range = NonNullable<Finding['range']>;

/** The place of a range after a text was changed; `null` if the change is in it. */
function movedRange(range: Range, was: string, text: string): Range | null {
  const shorter = Math.min(was.length, text.length);
  let before = 0;
  while (before < shorter && was[before] === text[before]) before++;
  if (range.end <= before) return range;
  let after = 0;
  while (after < shorter - before && was.at(-1 - after) === text.at(-1 - after)) after++;
  const by = text.length - was.length;
  return range.start < was.length - after ? null : { start: range.start + by, end: range.end + by };
}
