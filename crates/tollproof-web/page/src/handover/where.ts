// Where a person finds what a field asks for.

import type { Field } from 'tollproof';
import { current, fields, provider, providerTitle } from '../state/session';
import { shownBy } from '../tasks/tasks';
import type { Way } from '../draft/choices';
import { wayOf } from '../tasks/way';
import { t } from '../words';

/** An identifier of Twilio: `PN` and 32 hexadecimal digits. */
const IDENTIFIER = /^([A-Z]{2})[0-9a-f]{32}$/;

/** Whether a field is an identifier that only an account shows. */
export function isIdentifier(field: Field): boolean {
  return IDENTIFIER.test(field.example ?? '');
}

/** Whether a field is the identifier of the toll-free number. */
export function isNumberIdentifier(field: Field): boolean {
  return field.role === 'phoneNumbers' && isIdentifier(field);
}

/** How people agree to the messages of the open draft. */
export function way(): Way | null {
  return wayOf(current.value.value, fields.value, current.value.optIn?.way);
}

/** A sentence or two; empty if nothing needs to be said. */
export function whereToFind(field: Field): string {
  const prefix = IDENTIFIER.exec(field.example ?? '')?.[1];
  if (prefix !== undefined) return t('whereIdentifier', { prefix, provider: providerTitle(provider.value) });
  switch (field.role) {
    case 'registrationNumber':
      return t('whereRegistration');
    case 'politicalToken':
      return t('whereToken');
    case 'optInWorkflowImageURLs':
      return t('wherePictures', { what: shownBy(way()) });
    case 'privacyPolicyUrl':
    case 'termsUrl':
      return t('wherePolicy');
    default:
      return '';
  }
}
