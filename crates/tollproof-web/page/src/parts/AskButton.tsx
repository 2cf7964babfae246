// The way to the list of what is missing.

import { opened } from '../state/dialogs';
import { t } from '../words';

export function AskButton() {
  return (
    <button type="button" aria-haspopup="dialog" onClick={() => (opened.value = 'ask')}>
      {t('ask')}
    </button>
  );
}
