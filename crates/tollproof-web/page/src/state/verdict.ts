// What is left to do in a draft, and the sentence about it.

import { t } from '../words';

/** How many findings, and how many empty fields that wait. */
export interface Counts {
  toFill: number;
  errors: number;
  warnings: number;
  notes: number;
}

export interface Left extends Counts {
  /** Those that a reader found, which are among the others. */
  read: Counts;
  /** What only a person can see. */
  tasks: { open: number; no: number; all: number };
  /** How many reasons of a rejection are not settled. */
  reasons: number;
  /** The labels of fields that stay as they were first sent. */
  kept: string;
  /** Whether words alone judged it. */
  byWords: boolean;
  /** Whether its business is invented. */
  isExample: boolean;
}

/** One sentence that says where a draft is. */
export function verdictOn({ errors, warnings, toFill, notes, tasks, byWords, reasons = 0, isExample = false }: Omit<Left, 'read' | 'reasons' | 'kept' | 'isExample'> & Partial<Left>): string {
  if (errors > 0) return t('leftErrors', { n: errors });
  if (toFill > 0) return t('nToFill', { n: toFill });
  if (reasons > 0) return t('leftReasons', { n: reasons });
  if (tasks.no > 0) return t('leftNo', { n: tasks.no });
  if (warnings > 0) return t('leftWarnings', { n: warnings });
  if (byWords) return notes > 0 ? t('leftNotes', { n: notes }) : t('leftByWords');
  if (isExample && tasks.open === 0) return t('leftExample');
  return tasks.open > 0 ? t('leftToCheck', { n: tasks.open }) : t('leftNothing');
}
