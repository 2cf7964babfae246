// The end of the page: its language, and what it does with drafts.

import { chosenLanguage } from '../state/session';
import { t } from '../words';
import { type Language, LANGUAGES } from '../words/languages';

export function Footer() {
  return (
    <footer class="bottom">
      <div>
        <p>{t('privacy')}</p>
        <p>
          <label for="language">{t('language')}</label>
          <select
            id="language"
            value={chosenLanguage.value}
            onChange={(event) => (chosenLanguage.value = event.currentTarget.value as Language | 'auto')}
          >
            <option value="auto">{t('languageAuto')}</option>
            {LANGUAGES.map((it) => (
              <option key={it.code} value={it.code} lang={it.code}>
                {it.name}
              </option>
            ))}
          </select>
        </p>
      </div>
    </footer>
  );
}
