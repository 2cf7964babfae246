// The provider that takes the drafts.

import { chooseProvider } from '../state/actions';
import { allProviders, provider } from '../state/session';
import { t } from '../words';

export function ProviderChoice({ id }: { id: string }) {
  return (
    <p>
      <label for={id}>{t('provider')}</label>
      <select id={id} value={provider.value} onChange={(event) => chooseProvider(event.currentTarget.value)}>
        {allProviders().map((it) => (
          <option key={it.name} value={it.name}>
            {it.title}
          </option>
        ))}
      </select>
    </p>
  );
}
