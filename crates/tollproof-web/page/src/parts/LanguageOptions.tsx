// The languages of the page, as options.

import { LANGUAGES } from '../words/languages';

export function LanguageOptions() {
  return (
    <>
      {LANGUAGES.map((it) => (
        <option key={it.code} value={it.code} lang={it.code}>
          {it.name}
        </option>
      ))}
    </>
  );
}
