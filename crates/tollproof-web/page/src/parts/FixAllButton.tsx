// Applies all fixes that change no meaning.

import { useEffect, useState } from 'preact/hooks';

import { applySafeFixes, safeFixes } from '../state/actions';
import { t } from '../words';

/** How long the button keeps its place, so that a double click does not reach what comes after it, in milliseconds. */
const KEPT = 1_000;

export function FixAllButton() {
  const [applied, setApplied] = useState(0);
  useEffect(() => {
    if (applied === 0) return;
    const timer = setTimeout(() => setApplied(0), KEPT);
    return () => clearTimeout(timer);
  }, [applied]);
  if (applied > 0) return <button type="button" aria-disabled="true">{t('fixedAll', { n: applied })}</button>;
  if (safeFixes.value === 0) return null;
  return (
    <button
      type="button"
      onClick={() => {
        setApplied(safeFixes.value);
        applySafeFixes();
      }}
    >
      {t('fixAll', { n: safeFixes.value })}
    </button>
  );
}
