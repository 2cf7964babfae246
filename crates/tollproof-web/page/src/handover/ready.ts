// What a website may ask a person to attach.

import type { Field } from 'tollproof';
import { get, type Json } from '../draft/pointer';

/** The keys of the words for it, for a draft with these fields. */
export function toHaveReady(draft: Json, fields: readonly Field[]) {
  const text = (role: string) => JSON.stringify(fields.filter((it) => it.role === role).map((it) => get(draft, it.pointer) ?? ''));
  const howPeopleAgree = text('optInType');
  return [
    'readyPictures' as const,
    'readyPolicies' as const,
    ...(/verbal|voice|ivr/i.test(howPeopleAgree) ? ['readySpoken' as const] : []),
    ...(/paper/i.test(howPeopleAgree) ? ['readyPaper' as const] : []),
    ...(/\w/.test(text('registrationNumber')) ? ['readyRegistration' as const] : []),
  ];
}
