// A text cut at the ranges of its findings.

import type { Finding, Severity } from 'tollproof';

export interface Part {
  text: string;
  severity: Severity | null;
}

const SEVERITIES: Severity[] = ['error', 'warning', 'info'];

/** The parts of a text; where ranges overlap, the most severe counts. */
export function partsOf(text: string, findings: readonly Finding[]): Part[] {
  const ranges = findings.filter((it) => it.range !== null && it.range.end <= text.length && it.range.start < it.range.end);
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
