// After a rejection: the rejected request is changed and sent again, and not a new one.

import { chooseKind } from '../state/actions';
import { pasted } from '../state/explaining';
import { isBegun, kind, kindsOf, provider, providerTitle } from '../state/session';
import { t } from '../words';

export function AsChange() {
  const isOffered = isBegun.value && pasted.value.isRefused && kind.value !== 'update-request' && kindsOf(provider.value).includes('update-request');
  if (!isOffered) return null;
  return (
    <p class="hint">
      {t('changeRejected', { provider: providerTitle(provider.value) })}{' '}
      <button type="button" class="link" onClick={() => chooseKind('update-request')}>
        {t('checkAs')}
      </button>
    </p>
  );
}
