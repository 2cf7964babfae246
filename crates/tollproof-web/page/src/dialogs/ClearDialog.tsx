// Asks before everything that was written is removed.

import { focusAfter } from '../form/focus';
import { clear } from '../state/actions';
import { Dialog } from '../parts/Dialog';
import { t } from '../words';
import { close } from '../state/dialogs';

export function ClearDialog() {
  return (
    <Dialog title={t('clearTitle')} close={close}>
      <p>{t('clearAbout')}</p>
      <p class="buttons">
        <button
          type="button"
          class="main danger"
          onClick={() => {
            close();
            clear();
            focusAfter('h1');
          }}
        >
          {t('clearNow')}
        </button>
        <button type="button" onClick={close}>
          {t('cancel')}
        </button>
      </p>
    </Dialog>
  );
}
