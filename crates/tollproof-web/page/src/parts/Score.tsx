// The verdict on the draft: what words found, whether a reader read it, and what only a person can see.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Finding } from 'tollproof';

import { goToNext } from '../form/focus';
import { isShort } from '../form/Form';
import { answered } from '../state/actions';
import { opened } from '../state/dialogs';
import { advice, countReasons, isDeadline } from '../state/explaining';
import { isAsked, isUntouched, placed, waits } from '../state/findings';
import { isReady } from '../engine';
import { checked, fields, isBegun, keptFields, kind, provider, providerTitle, readings, settled } from '../state/session';
import { steady } from '../state/steady';
import { type Counts, type Left, verdictOn } from '../state/verdict';
import { countTasks, namesOf } from '../tasks/tasks';
import { t } from '../words';
import { AskButton } from './AskButton';
import { FixAllButton } from './FixAllButton';
import { HandOverButton, hasWebsite } from './Header';
import { NextDraft } from './NextDraft';
import { ReaderButton } from './ReaderButton';
import { settledReasons } from './ReasonState';

const NAMES = { error: 'errors', warning: 'warnings', info: 'notes' } as const;

export const left = steady<Left>(() => {
  const found: Left = {
    ...none(),
    read: none(),
    tasks: countTasks(settled.value, fields.value),
    reasons: countReasons().all - countReasons().settled,
    kept: namesOf(keptFields(settled.value, fields.value)),
    byWords: checked.value.byWords !== null || readings.value.length === 0,
    isExample: settled.value.example !== undefined,
  };
  const take = ({ severity, readBy }: Finding) => {
    found[NAMES[severity]]++;
    if (readBy !== undefined) found.read[NAMES[severity]]++;
  };
  placed.value.elsewhere.forEach(take);
  for (const field of fields.value) {
    const findings = placed.value.byField.get(field.pointer) ?? [];
    const isEmpty = isUntouched(field);
    if ((isEmpty && waits(findings)) || isAsked(settled.value, field)) found.toFill++;
    if (!isEmpty) findings.forEach(take);
  }
  return found;
});

function none(): Counts {
  return { toFill: 0, errors: 0, warnings: 0, notes: 0 };
}

/** One sentence that says where the draft is. */
export function verdict(): string {
  return isReady.value ? verdictOn(left.value) : t('checkingDraft');
}

/** Whether something was found, or a field waits. */
function isFound({ errors, warnings, toFill }: Counts): boolean {
  return errors + warnings + toFill > 0;
}

/** What a person does next: put something right, have the texts read, answer a question, or send the draft. */
function nextStep(all: Left): 'go' | 'read' | 'send' {
  if (isFound(all) || all.reasons + all.tasks.no > 0) return 'go';
  if (all.byWords) return isBegun.value ? 'read' : 'go';
  return all.tasks.open > 0 ? 'go' : 'send';
}

export function Score() {
  const all = left.value;
  const { errors, warnings, toFill, tasks, byWords, reasons } = all;
  const isSaved = isReady.value && isBegun.value;
  const isRead = isReady.value && !byWords;
  const step = nextStep(all);
  const state = !isReady.value ? 'waiting' : errors + reasons + tasks.no > 0 ? 'error' : warnings + toFill > 0 ? 'warning' : step !== 'send' || all.isExample ? 'waiting' : 'clean';
  const isDone = isSaved && step === 'send' && !all.isExample;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // On narrow screens, the bar below has it.
    if (isDone && matchMedia('(min-width: 66rem)').matches) section.current?.scrollIntoView({ block: 'nearest' });
  }, [isDone]);
  const ofWords = { ...all, errors: errors - all.read.errors, warnings: warnings - all.read.warnings, notes: all.notes - all.read.notes };
  return (
    <section ref={section} class={`score ${state}`} aria-labelledby="score">
      <h2 id="score" tabIndex={-1}>
        {verdict()}
      </h2>
      <dl>
        <Part name={t('partWords')} state={stateOf(ofWords)}>
          {counted(ofWords)}
        </Part>
        <Part name={t('partReader')} state={isRead ? stateOf(all.read) : 'open'}>
          {isRead || isReady.value && readings.value.length > 0 && answered.value.done > 0 ? (
            <button type="button" class="link" aria-haspopup="dialog" onClick={() => (opened.value = 'reader')}>
              {isFound(all.read) ? counted(all.read) : isRead ? t('readAll') : t('answeredOf', answered.value)}
            </button>
          ) : (
            t('notRead')
          )}
          {!isRead && isReady.value && checked.value.byWords !== null && !isFound(all) && <p class="by-words">{t('byWords', { n: checked.value.byWords.tenths })}</p>}
        </Part>
        {settledReasons() !== '' && (
          <Part name={t('partAnswer')} state={reasons > 0 ? 'error' : 'done'}>
            <button type="button" class="link" aria-haspopup="dialog" onClick={() => (opened.value = 'explain')}>
              {settledReasons()}
            </button>
            {advice.value.filter(isDeadline).map(({ message }) => (
              <p key={message} class="by-words">
                {message}
              </p>
            ))}
          </Part>
        )}
        <Part name={t('partYou')} state={tasks.no > 0 ? 'error' : tasks.open > 0 ? 'open' : 'done'}>
          <a href="#to-check">{tasks.no > 0 ? t('answeredNo', { n: tasks.no }) : t('answeredOf', { done: tasks.all - tasks.open, all: tasks.all })}</a>
        </Part>
      </dl>
      {all.kept !== '' && <p class="about">{t('keptEmpty', { names: all.kept })}</p>}
      {isDone && <p class="about">{afterwards()}</p>}
      <div class="main-step">
        <MainStep />
      </div>
      {isSaved && <FixAllButton />}
      {isSaved && byWords && step !== 'read' && errors + toFill === 0 && <ReaderButton />}
      {isSaved && step === 'read' && tasks.open > 0 && (
        <button type="button" onClick={goToNext}>
          {t('next')}
        </button>
      )}
      {isSaved && isFound(all) && <AskButton />}
      {isSaved && step === 'send' && hasWebsite() && <SaveButton />}
      {isSaved && step === 'send' && <NextDraft />}
      {(errors + warnings > 0 || isShort.value) && (
        <label class="box">
          <input type="checkbox" checked={isShort.value} onChange={(event) => (isShort.value = event.currentTarget.checked)} />
          <span>{t('onlyFindings')}</span>
        </label>
      )}
    </section>
  );
}

/** One sentence about what comes after the last question. */
function afterwards(): string {
  const words = { provider: providerTitle(provider.value) };
  if (kind.value === 'update-request') return t('changeRejected', words);
  return hasWebsite() ? t('readyWebsite', words) : t('readyFile');
}

/** The button for what comes next: in the score, and on narrow screens in the bar below. */
export function MainStep() {
  const step = nextStep(left.value);
  if (step === 'read') return <ReaderButton isMain />;
  if (step === 'send') return hasWebsite() ? <HandOverButton isMain /> : <SaveButton isMain />;
  return (
    <button type="button" class={isBegun.value ? 'main' : undefined} onClick={goToNext}>
      {t('next')}
    </button>
  );
}

function Part({ name, state, children }: { name: string; state: string; children: ComponentChildren }) {
  return (
    <div class={state}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function stateOf({ errors, warnings, toFill }: Counts): string {
  return errors > 0 ? 'error' : warnings + toFill > 0 ? 'warning' : 'done';
}

function counted({ errors, warnings, toFill, notes }: Counts): string {
  if (!isReady.value) return t('checkingDraft');
  const counts = [
    ...(errors > 0 ? [t('nErrors', { n: errors })] : []),
    ...(warnings > 0 ? [t('nWarnings', { n: warnings })] : []),
    // Without errors, the heading says it.
    ...(errors > 0 && toFill > 0 ? [t('nToFill', { n: toFill })] : []),
    ...(notes > 0 ? [t('nNotes', { n: notes })] : []),
  ];
  return counts.length === 0 ? t('nothingFound') : counts.join(', ');
}

function SaveButton({ isMain = false }: { isMain?: boolean }) {
  return (
    <button type="button" class={isMain ? 'main' : undefined} aria-haspopup="dialog" onClick={() => (opened.value = 'save')}>
      {t('saveDraft')}
    </button>
  );
}
