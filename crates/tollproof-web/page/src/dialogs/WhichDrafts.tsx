// The choice between all drafts of a sheet and the open one.

import { current, drafts, fields, nameOf, position } from '../state/session';
import { t } from '../words';

export function WhichDrafts({ isWhole, choose }: { isWhole: boolean; choose: (isWhole: boolean) => void }) {
  if (drafts.value.length < 2) return null;
  return (
    <fieldset>
      <legend>{t('saveWhat')}</legend>
      <label>
        <input type="radio" name="what" checked={isWhole} onChange={() => choose(true)} /> {t('backToSheet', { n: drafts.value.length })}
      </label>
      <label>
        <input type="radio" name="what" checked={!isWhole} onChange={() => choose(false)} />{' '}
        {t('saveOne', { name: nameOf(current.value, position.value, fields.value) })}
      </label>
    </fieldset>
  );
}
