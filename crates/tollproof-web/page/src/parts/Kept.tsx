// What earlier visits and other tabs keep in this browser, to open again.

import { focusAfter } from '../form/focus';
import { keptSessions, take } from '../state/storage';
import { language, t } from '../words';

export function Kept() {
  if (keptSessions.value.length === 0) return null;
  const time = (saved: number) => new Date(saved).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <section class="kept" aria-labelledby="kept-title">
      <h2 id="kept-title">{t('keptHere')}</h2>
      <ul>
        {keptSessions.value.map(({ id, name, saved }) => (
          <li key={id}>
            <button
              type="button"
              class="link"
              onClick={() => {
                take(id);
                focusAfter('h1');
              }}
            >
              {name.startsWith('#') ? t('newDraft') : name || t('drafts')}
            </button>{' '}
            <small>{time(saved)}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
