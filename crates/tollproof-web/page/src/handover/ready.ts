// What a website may ask a person to attach.

import type { Field } from 'tollproof';
import { textsOf } from '../draft/values';
import type { Draft } from '../state/session';
import { shownBy } from '../tasks/tasks';
import { picturesOf, wayOf } from '../tasks/way';
import { t } from '../words';

/** What to have ready for a draft with these fields: a name for its tick, and words. */
export function toHaveReady(draft: Draft, fields: readonly Field[]): { id: string; text: string }[] {
  const way = wayOf(draft.value, fields, draft.optIn?.way);
  const named = textsOf(draft.value, fields, 'optInWorkflowImageURLs').filter(Boolean);
  const item = (id: 'readyPolicies' | 'readyRegistration') => ({ id, text: t(id) });
  return [
    // A draft that names pages instead has no picture.
    ...(named.length > 0 && picturesOf(draft.value, fields, way).length === 0 ? [] : [{ id: `readyPictures ${way}`, text: t('readyPictures', { what: shownBy(way) }) }]),
    item('readyPolicies'),
    ...(textsOf(draft.value, fields, 'registrationNumber').length > 0 ? [item('readyRegistration')] : []),
  ];
}
