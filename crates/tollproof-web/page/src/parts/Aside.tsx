// What the draft has and its kind of request does not take.

import { fields as fieldsOf } from '../engine';
import { valuesOf } from '../draft/values';
import { current, provider, wholeOf } from '../state/session';
import { labelOf, t } from '../words';

export function Aside() {
  const { aside = [] } = current.value;
  if (aside.length === 0) return null;
  const all = fieldsOf(provider.value, undefined, wholeOf(current.value));
  const said = aside.flatMap(({ pointer, value }) => {
    const field = all.find((it) => it.pointer === pointer);
    return field === undefined ? [] : t('labelled', { label: labelOf(field).text, text: valuesOf(field, value).map((it) => it.text).join(', ') });
  });
  return <p class="hint">{t('aside', { fields: said.join('; ') })}</p>;
}
