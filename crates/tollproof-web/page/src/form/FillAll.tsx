// A button that writes the value of a field into all drafts of a sheet.

import { useComputed } from '@preact/signals';

import type { Field } from 'tollproof';
import { AskFirst } from '../parts/AskFirst';
import { fillAll, othersThan } from '../state/actions';
import { drafts } from '../state/session';
import { labelOf, t } from '../words';

export function FillAll({ field }: { field: Field }) {
  const n = useComputed(() => drafts.value.length).value;
  const replaced = useComputed(() => othersThan(field.pointer)).value;
  // Each draft has a number of its own.
  if (n < 2 || field.role === 'phoneNumbers') return null;
  const label = labelOf(field);
  return (
    <AskFirst class="link fill-all" question={replaced === 0 ? '' : t('fillAllAsk', { n: replaced })} act={() => fillAll(field.pointer)}>
      {t('fillAll')}{' '}
      <span class="hidden" lang={label.lang}>
        {label.text}
      </span>
    </AskFirst>
  );
}
