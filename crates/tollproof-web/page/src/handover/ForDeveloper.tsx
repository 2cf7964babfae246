// The draft as a developer takes it, to hand on: the request that submits it, or else its values.

import { useState } from 'preact/hooks';

import { write } from '../engine';
import { CopyButton } from '../parts/CopyButton';
import { current, fields, isTyped, kind, provider, providerTitle } from '../state/session';
import { t } from '../words';
import { type Sample, samplesOf } from './requests';
import { isNumberIdentifier } from './where';

export function ForDeveloper() {
  const [shown, setShown] = useState(0);
  const text = new TextDecoder().decode(write([current.value.value], 'json', provider.value).bytes);
  // What an update changes depends on a submission that the page does not know.
  const requests = kind.value === 'update-request' ? [] : samplesOf(provider.value, JSON.parse(text));
  const samples: Sample[] = [...requests, { title: 'JSON', code: text }];
  const sample = samples[Math.min(shown, samples.length - 1)] as Sample;
  return (
    <section aria-labelledby="developer-title">
      <h2 id="developer-title">{t('developer')}</h2>
      <p class="about">{t(requests.length > 0 ? 'developerRequest' : 'developerAbout', { provider: providerTitle(provider.value) })}</p>
      {isTyped.value && fields.value.some(isNumberIdentifier) && <p class="hint">{t('developerIdentifier')}</p>}
      <p class="buttons">
        {samples.map((it) => (
          <CopyButton key={it.title} text={() => it.code} name="" words={`${t('copy')} ${it.title}`} />
        ))}
      </p>
      <details>
        <summary>{t('developerShow')}</summary>
        {samples.length > 1 && (
          <p class="buttons" role="group" aria-labelledby="developer-title">
            {samples.map((it, at) => (
              <button key={it.title} type="button" aria-pressed={it === sample} onClick={() => setShown(at)}>
                {it.title}
              </button>
            ))}
          </p>
        )}
        <pre>{sample.code}</pre>
      </details>
    </section>
  );
}
