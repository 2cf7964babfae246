// Applies all fixes that change no meaning.

import { applySafeFixes, safeFixes } from '../state/actions';
import { t } from '../words';

export function FixAllButton() {
  if (safeFixes.value === 0) return null;
  return (
    <button type="button" onClick={applySafeFixes}>
      {t('fixAll', { n: safeFixes.value })}
    </button>
  );
}
