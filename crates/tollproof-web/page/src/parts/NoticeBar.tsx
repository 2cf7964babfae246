// What happened last, with undo.

import { notice } from '../state/undo';
import { Sentence } from './Sentence';
import { t } from '../words';

export function NoticeBar() {
  const shown = notice.value;
  return (
    <div class="notices">
      <div role="status">
        {shown !== null && (
          <div class="notice">
            <div>
              <p>{shown.words}</p>
              {shown.lines.length > 0 && (
                <ul>
                  {shown.lines.map((it) => (
                    <li key={it}>
                      <Sentence text={it} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
            {shown.undo !== null && (
              <button type="button" class="link" onClick={shown.undo}>
                {t('undo')}
              </button>
            )}
            <button type="button" class="quiet" aria-label={t('close')} onClick={() => (notice.value = null)}>
              ✕
            </button>
          </div>
        )}
      </div>
    </div>
  );
}
