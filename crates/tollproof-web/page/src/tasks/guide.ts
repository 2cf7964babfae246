// The texts that people need who have no opt-in yet: in English, as reviewers read them.

import { textsOf } from '../handover/entries';
import { current, fields } from '../state/session';
import type { OptIn } from '../draft/choices';

export const WAYS = ['web', 'phone', 'text', 'paper', 'counter'] as const;

/** The sentence that a privacy policy needs. */
export const NOT_SHARED =
  'We do not share mobile numbers or consent to text messages with third parties or affiliates for marketing or promotional purposes.';

const COSTS = 'Message frequency varies. Msg & data rates may apply. Reply STOP to opt out, HELP for help.';

/** A text, or in brackets what to write there. */
const or = (text: string, what: string) => text.trim() || `[${what}]`;

/** The name that customers know, of the open draft; empty if it has none. */
export function businessName(): string {
  if (current.value.example === 'untouched') return '';
  return ['doingBusinessAs', 'businessName'].flatMap((role) => textsOf(current.value.value, fields.value, role))[0] ?? '';
}

/** The lines about text messages that terms need. */
export function termsOf(business: string, topic: string): string {
  const name = or(business, 'business');
  return `Text messages: if you agree, ${name} sends you text messages about ${or(topic, 'topic')}. ${COSTS} Carriers are not liable for delayed or undelivered messages.`;
}

/** What people read or hear where they agree. */
export function consentOf({ way, topic, word }: OptIn, business: string): string {
  const texts = `texts from ${or(business, 'business')} about ${or(topic, 'topic')}`;
  switch (way) {
    case 'phone':
    case 'counter':
      return `Do you agree to ${texts}? ${COSTS} It is optional: yes or no?`;
    case 'text':
      return `Text ${or(word, 'WORD')} to our toll-free number to agree to ${texts}. ${COSTS}`;
    default:
      return `I agree to ${texts}. ${COSTS}`;
  }
}

/** How people agree, for the submission: short enough for fields of 500 characters. */
export function descriptionOf(chosen: OptIn, business: string): string {
  const consent = `"${consentOf(chosen, business)}"`;
  const rest = 'No mobile information will be shared with third parties or affiliates for marketing purposes.';
  const spoken = `Before we text anyone, we read this script aloud: ${consent} We note the answer and the day. Without a yes we send nothing. ${rest}`;
  switch (chosen.way) {
    case 'phone':
      return `Customers call us at ${or(chosen.place, 'telephone number')}. ${spoken}`;
    case 'counter':
      return `Customers agree in person at ${or(chosen.place, 'address')}. ${spoken}`;
    case 'text':
      return `Customers send the word ${or(chosen.word, 'WORD')} from their mobile phone to our number. They see it on a sign at ${or(chosen.place, 'place')}: ${consent} ${rest}`;
    case 'paper':
      return `Customers fill in a paper form at ${or(chosen.place, 'place')}, which has an optional box, empty and apart from the signature: ${consent} The box is not required. ${rest}`;
    default:
      return `Customers enter their mobile number at ${or(chosen.place, 'address of the page')} and may tick an optional box, unchecked by default and separate from our terms: ${consent} The box is not required. ${rest}`;
  }
}
