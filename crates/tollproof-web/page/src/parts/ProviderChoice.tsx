// A choice between the providers; without a value, one must be chosen.

import { allProviders } from '../state/session';
import { t } from '../words';

interface Properties {
  id: string;
  value: string;
  choose: (name: string) => void;
}

export function ProviderChoice({ id, value, choose }: Properties) {
  return (
    <p class="line">
      <label for={id}>{t('provider')}</label>
      <select id={id} value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {value === '' && <option value="">{t('choose')}</option>}
        {allProviders().map((it) => (
          <option key={it.name} value={it.name}>
            {it.title}
          </option>
        ))}
      </select>
    </p>
  );
}
