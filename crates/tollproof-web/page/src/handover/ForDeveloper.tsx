// The draft as a developer takes it, to hand on.

import { write } from '../engine';
import { CopyButton } from '../parts/CopyButton';
import { current, provider, providerTitle } from '../state/session';
import { t } from '../words';

export function ForDeveloper() {
  const text = new TextDecoder().decode(write([current.value.value], 'json', provider.value).bytes);
  return (
    <section aria-labelledby="developer-title">
      <h2 id="developer-title">{t('developer')}</h2>
      <p class="about">{t('developerAbout', { provider: providerTitle(provider.value) })}</p>
      <p>
        <CopyButton text={() => text} name="JSON" />
      </p>
      <details>
        <summary>{t('developerShow')}</summary>
        <pre>{text}</pre>
      </details>
    </section>
  );
}
