// Whether a reason of a rejection is settled: it is repaired, or a person ticks it off.

import { useState } from 'preact/hooks';

import type { Finding } from 'tollproof';
import { answerTask } from '../state/actions';
import { countReasons, markDone, NEXT_STEP, stateOf, unchanged } from '../state/explaining';
import { fields, isBegun, settled } from '../state/session';
import { taskOf } from '../tasks/tasks';
import { labelOf, t } from '../words';

export function ReasonState({ reason }: { reason: Finding }) {
  const [isAsked, setAsked] = useState(false);
  if (!isBegun.value || reason.rule === NEXT_STEP) return null;
  const state = stateOf(reason);
  if (state === 'repaired') return <p class="help">✓ {t('repaired')}</p>;
  const field = state === 'open' ? unchanged(reason) : undefined;
  const mark = (isDone: boolean) => {
    markDone(reason, isDone);
    // A yes about the same page has settled it as well.
    const task = isDone ? undefined : taskOf(settled.value, fields.value, reason);
    if (task !== undefined) answerTask(task, null);
  };
  // The focus goes where the box is again.
  const end = (event: Event, isDone: boolean) => {
    const item = (event.currentTarget as Element).closest('li');
    setAsked(false);
    if (isDone) mark(true);
    setTimeout(() => item?.querySelector<HTMLElement>('.box input')?.focus());
  };
  if (isAsked && field !== undefined) {
    const question = t('doneUnchanged', { name: labelOf(field).text });
    return (
      <p class="ask-first" role="group" aria-label={question}>
        <b>{question}</b>
        <button type="button" ref={(button) => button?.focus()} onClick={(event) => end(event, true)}>
          {t('done')}
        </button>
        <button type="button" onClick={(event) => end(event, false)}>
          {t('cancel')}
        </button>
      </p>
    );
  }
  return (
    <label class="box">
      <input
        type="checkbox"
        aria-label={t('labelled', { label: t('done'), text: reason.message })}
        checked={state === 'done'}
        onChange={({ currentTarget: { checked } }) => (field === undefined ? mark(checked) : setAsked(true))}
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
