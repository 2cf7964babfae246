// The questions that only a person can answer, each with yes, no and not yet.

import type { Field } from 'tollproof';
import { focusField } from '../form/focus';
import { answerTask } from '../state/actions';
import { fields, isFilled, settled } from '../state/session';
import { CopyButton } from '../parts/CopyButton';
import { GuideButton } from '../parts/GuideButton';
import { Sentence } from '../parts/Sentence';
import { labelOf, t } from '../words';
import type { TaskAnswer } from '../draft/choices';
import { languageOf } from './guide';
import { answerTo, settledAs, type Task, tasksOf } from './tasks';

export function Tasks() {
  if (!isFilled.value) return null;
  return (
    <section id="to-check" class="to-check" aria-labelledby="to-check-title">
      <h2 id="to-check-title">{t('toCheck')}</h2>
      <p class="about">{t('toCheckAbout')}</p>
      {tasksOf(settled.value, fields.value).map((task, at) => (
        <OneTask key={task.key} task={task} name={`task-${at}`} />
      ))}
    </section>
  );
}

function OneTask({ task, name }: { task: Task; name: string }) {
  const answer = answerTo(settled.value, task);
  const counted = settledAs(settled.value, task);
  // A question with a text that would do ends in a sentence about it.
  const hasExample = task.example !== null && answer !== 'yes';
  const option = (value: TaskAnswer, words: string) => (
    <label>
      <input type="radio" name={name} checked={answer === value} onChange={() => answerTask(task, value)} />
      <span>{words}</span>
    </label>
  );
  return (
    <fieldset class={`task ${counted ?? 'open'}`} id={name} tabIndex={-1} data-waits={counted === 'yes' ? undefined : (counted ?? 'open')}>
      <legend>
        <Sentence text={hasExample ? task.question : task.question.replace(/(?<=\?)[^?]*:$/, '')} hasLinks />
      </legend>
      {hasExample && (
        <div class="example-text">
          <p lang={languageOf(settled.value.optIn)}>{task.example}</p>
          <CopyButton class="link" text={() => task.example ?? ''} name={t('theExample')} />
        </div>
      )}
      <div class="answers">
        {option('yes', t('yes'))}
        {option('no', t('no'))}
        {answer !== null && (
          <button type="button" class="link" onClick={() => answerTask(task, null)}>
            {t('noAnswer')}
          </button>
        )}
      </div>
      {answer === 'no' && (
        <p class="otherwise">
          <Sentence text={task.otherwise} />
        </p>
      )}
      {answer === 'yes' && counted === null && <p class="otherwise">{t('taskAddress')}</p>}
      {answer === (task.isWritten ? 'yes' : 'no') && <Fill fields={task.fill} />}
      {answer === 'no' && task.key.startsWith('opt-in') && <GuideButton />}
    </fieldset>
  );
}

/** The way to fields that are to be filled in. */
function Fill({ fields }: { fields: readonly Field[] }) {
  return (
    <p class="buttons">
      {fields.map((it) => (
        <button key={it.pointer} type="button" class="link" onClick={() => focusField(it.pointer)}>
          {t('goTo', { name: labelOf(it).text })}
        </button>
      ))}
    </p>
  );
}
