// Whether a reason of a rejection is settled: it is repaired, or a person ticks it off.

import type { Finding } from 'tollproof';
import { countReasons, markDone, NEXT_STEP, stateOf } from '../state/explaining';
import { answerTask } from '../state/actions';
import { fields, isBegun, settled } from '../state/session';
import { answerTo, taskOf } from '../tasks/tasks';
import { t } from '../words';

export function ReasonState({ reason }: { reason: Finding }) {
  if (!isBegun.value || reason.rule === NEXT_STEP) return null;
  const state = stateOf(reason);
  // The question about the same page has the same answer.
  const task = taskOf(settled.value, fields.value, reason);
  if (state === 'repaired') return <p class="help">✓ {t('repaired')}</p>;
  return (
    <label class="box">
      <input
        type="checkbox"
        aria-label={t('labelled', { label: t('done'), text: reason.message })}
        checked={task === undefined ? state === 'done' : answerTo(settled.value, task) === 'yes'}
        onChange={({ currentTarget: { checked } }) => (task === undefined ? markDone(reason, checked) : answerTask(task, checked ? 'yes' : null))}
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
