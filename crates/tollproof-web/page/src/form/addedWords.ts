// The words that samples lack most often, for a button that adds them: the name at the beginning, the way out at the end.

import type { Finding } from 'tollproof';
import { get } from '../draft/pointer';
import { settled } from '../state/session';
import { businessName } from '../tasks/guide';
import { t } from '../words';

/** Sample messages are in English, as reviewers read them. */
const WAY_OUT = 'Reply STOP to opt out.';

export interface AddedWords {
  /** What the button says. */
  words: string;
  /** The sample with the words. */
  text: string;
}

/** What a button can add where a sample lacks it; `null` for other findings. */
export function addedWords({ rule, pointer, fix }: Finding): AddedWords | null {
  const text = get(settled.value.value, pointer);
  if (fix !== null || typeof text !== 'string' || text.trim() === '') return null;
  if (rule === 'message/missing-opt-out') return { words: t('addEnd', { text: WAY_OUT }), text: `${text.trim()} ${WAY_OUT}` };
  const name = businessName();
  const isUnnamed = rule === 'message/missing-brand' || rule === 'message/brand-only-in-link';
  return isUnnamed && name !== '' ? { words: t('addBeginning', { text: `${name}:` }), text: `${name}: ${text.trim()}` } : null;
}
