// Whether a reason of a rejection is settled: it is repaired, or a person ticks it off.

import type { Finding } from 'tollproof';
import { countReasons, markDone, NEXT_STEP, stateOf } from '../state/explaining';
import { isBegun } from '../state/session';
import { t } from '../words';

export function ReasonState({ reason }: { reason: Finding }) {
  if (!isBegun.value || reason.rule === NEXT_STEP) return null;
  const state = stateOf(reason);
  if (state === 'repaired') return <p class="help">✓ {t('repaired')}</p>;
  return (
    <label class="box">
      <input
        type="checkbox"
        aria-label={t('labelled', { label: t('done'), text: reason.message })}
        checked={state === 'done'}
        onChange={(event) => markDone(reason, event.currentTarget.checked)}
      />
      <span>{t('done')}</span>
    </label>
  );
}

/** How many reasons are settled. */
export function settledReasons(): string {
  const { settled, all } = countReasons();
  return all === 0 ? '' : t('settledOf', { done: settled, all });
}
