// The language of a text that is written for others.

import { LanguageOptions } from './LanguageOptions';
import { t } from '../words';
import type { Language } from '../words/languages';

interface Properties {
  id: string;
  words?: string;
  value: Language;
  choose: (language: Language) => void;
}

export function LanguageChoice({ id, words = t('language'), value, choose }: Properties) {
  return (
    <p class="line">
      <label for={id}>{words}</label>
      <select id={id} value={value} onChange={(event) => choose(event.currentTarget.value as Language)}>
        <LanguageOptions />
      </select>
    </p>
  );
}
