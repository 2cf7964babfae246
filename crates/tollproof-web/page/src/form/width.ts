// How much room a field needs in the form, and whether it is one that few people fill in.

import type { Field } from 'tollproof';

const HALF = new Set([
  'businessName',
  'corporateWebsite',
  'doingBusinessAs',
  'entityType',
  'businessContactFirstName',
  'businessContactLastName',
  'businessContactEmail',
  'businessContactPhone',
  'messageVolume',
  'optInType',
  'privacyPolicyUrl',
  'termsUrl',
]);
const THIRD = new Set(['businessCity', 'businessState', 'businessZip', 'businessCountry', 'registrationNumber', 'registrationType', 'registrationCountry']);
const RARE = new Set([
  'businessAddr2',
  'isvReseller',
  'ageGated',
  'politicalToken',
  'politicalTokenProvider',
  'registrationPhone',
  'externalReference',
  'profileId',
  'organizationId',
  'workspaceId',
  'id',
  'webhookUrl',
  'status',
  'testMode',
]);

/** The class of a field that shares its line with others. */
export function widthOf({ role, type }: Field): 'half' | 'third' | '' {
  if (type === 'other' || type === 'long-text' || role === null) return '';
  return HALF.has(role) ? 'half' : THIRD.has(role) ? 'third' : '';
}

/** Whether a field is folded while it is empty and nothing is found in it. */
export function isRare({ role, required }: Field): boolean {
  return !required && (role === null || RARE.has(role));
}
