// The way to a choice of how people can agree.

import { opened } from '../state/dialogs';
import { t } from '../words';

export function GuideButton() {
  return (
    <p class="guide">
      {t('guideAsk')}{' '}
      <button type="button" class="link" aria-haspopup="dialog" onClick={() => (opened.value = 'guide')}>
        {t('guideButton')}
      </button>
    </p>
  );
}
