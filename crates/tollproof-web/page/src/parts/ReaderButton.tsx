// The way to a reader.

import { opened } from '../state/dialogs';
import { t } from '../words';

export function ReaderButton({ isMain = false }: { isMain?: boolean }) {
  return (
    <button type="button" class={isMain ? 'main' : undefined} aria-haspopup="dialog" onClick={() => (opened.value = 'reader')}>
      {t('readButton')}
    </button>
  );
}
