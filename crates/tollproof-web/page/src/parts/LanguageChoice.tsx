// The language of a text that is written for others.

import { LanguageOptions } from './LanguageOptions';
import { t } from '../words';
import type { Language } from '../words/languages';

export function LanguageChoice({ id, value, choose }: { id: string; value: Language; choose: (language: Language) => void }) {
  return (
    <p class="line">
      <label for={id}>{t('language')}</label>
      <select id={id} value={value} onChange={(event) => choose(event.currentTarget.value as Language)}>
        <LanguageOptions />
      </select>
    </p>
  );
}
