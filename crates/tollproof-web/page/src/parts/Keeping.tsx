// Whether the drafts are kept in this browser, and who could read them there.

import { opened } from '../state/dialogs';
import { isBegun } from '../state/session';
import { choose, inFile, keeping, keptUntil } from '../state/storage';
import { language, t } from '../words';

export function Keeping() {
  if (!isBegun.value) return null;
  const isKept = keeping.value === 'yes';
  return (
    <section class="keeping">
      {keeping.value !== 'blocked' && (
        <label class="box">
          <input type="checkbox" checked={isKept} aria-describedby="keeping" onChange={(event) => choose(event.currentTarget.checked)} />
          <span>{t('keep')}</span>
        </label>
      )}
      <div id="keeping">
        <p role="status">{state()}</p>
        {keeping.value !== 'blocked' && <p>{location.protocol === 'file:' ? t('readByFiles') : t('readByPages', { host: location.host })}</p>}
      </div>
      <p>
        <button type="button" class="link" aria-haspopup="dialog" onClick={() => (opened.value = 'clear')}>
          {t('clear')}
        </button>
      </p>
    </section>
  );
}

/** What happens to the drafts when the page is closed. */
function state(): string {
  switch (keeping.value) {
    case 'yes':
      return t('keptUntil', { date: keptUntil().toLocaleDateString(language.value, { dateStyle: 'long' }) });
    case 'full':
      return t('storageFull');
    case 'elsewhere':
      return t('keptElsewhere');
    case 'blocked':
      return t('keptBlocked');
    case 'no':
      return inFile.value === 'none' ? t('keptNot') : inFile.value === 'all' ? t('keptInFile') : t('keptNoAnswers', { format: t('format_whole') });
  }
}
