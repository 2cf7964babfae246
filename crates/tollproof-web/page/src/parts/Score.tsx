// The verdict on the draft: what words found, whether a reader read it, and what only a person can see.

import type { ComponentChildren } from 'preact';

import { goToNext } from '../form/focus';
import { isShort } from '../form/Form';
import { opened } from '../state/dialogs';
import { isUntouched, placed, waits } from '../state/findings';
import { isReady } from '../engine';
import { checked, fields, isBegun, readings, settled } from '../state/session';
import { steady } from '../state/steady';
import { countTasks } from '../tasks/tasks';
import { t } from '../words';
import { AskButton } from './AskButton';
import { FixAllButton } from './FixAllButton';
import { HandOverButton, hasWebsite } from './Header';

export interface Left {
  toFill: number;
  errors: number;
  warnings: number;
  notes: number;
  /** What only a person can see. */
  tasks: { open: number; no: number; all: number };
  /** Whether words alone judged it. */
  byWords: boolean;
}

export const left = steady<Left>(() => {
  const found: Left = { toFill: 0, errors: 0, warnings: 0, notes: 0, tasks: countTasks(settled.value, fields.value), byWords: checked.value.byWords !== null || readings.value.length === 0 };
  const take = (severity: 'error' | 'warning' | 'info') => {
    if (severity === 'error') found.errors++;
    else if (severity === 'warning') found.warnings++;
    else found.notes++;
  };
  for (const finding of placed.value.elsewhere) take(finding.severity);
  for (const field of fields.value) {
    const findings = placed.value.byField.get(field.pointer) ?? [];
    const isEmpty = isUntouched(field);
    if (isEmpty && waits(findings)) found.toFill++;
    if (!isEmpty) for (const finding of findings) take(finding.severity);
  }
  return found;
});

/** One sentence that says where the draft is. */
export function verdict(): string {
  return isReady.value ? verdictOn(left.value) : t('checkingDraft');
}

export function verdictOn({ errors, warnings, toFill, tasks, byWords }: Left): string {
  if (errors > 0) return t('leftErrors', { n: errors });
  if (toFill > 0) return t('nToFill', { n: toFill });
  if (tasks.no > 0) return t('leftNo', { n: tasks.no });
  if (warnings > 0) return t('leftWarnings', { n: warnings });
  if (byWords) return t('leftByWords');
  return tasks.open > 0 ? t('leftToCheck', { n: tasks.open }) : t('leftNothing');
}

/** Whether words found something, or a field waits. */
function isFound({ errors, warnings, toFill }: Left): boolean {
  return errors + warnings + toFill > 0;
}

/** Whether something in the form waits for a person. */
export function isLeft(all: Left): boolean {
  return isFound(all) || all.tasks.open + all.tasks.no > 0;
}

export function Score() {
  const all = left.value;
  const { errors, warnings, toFill, tasks, byWords } = all;
  const isSaved = isReady.value && isBegun.value;
  const isRead = isReady.value && !byWords;
  const state = !isReady.value ? 'waiting' : errors + tasks.no > 0 ? 'error' : warnings + toFill > 0 ? 'warning' : !isRead || tasks.open > 0 ? 'waiting' : 'clean';
  const isReaderNext = !isFound(all) && !isRead;
  return (
    <section class={`score ${state}`} aria-labelledby="score">
      <h2 id="score" tabIndex={-1}>
        {verdict()}
      </h2>
      <dl>
        <Part name={t('partWords')} state={errors > 0 ? 'error' : warnings + toFill > 0 ? 'warning' : 'done'}>
          {foundByWords(all)}
        </Part>
        <Part name={t('partReader')} state={isRead ? 'done' : 'open'}>
          {isRead ? t('readAll') : t('notRead')}
          {!isRead && isReady.value && checked.value.byWords !== null && !isFound(all) && <p class="by-words">{t('byWords', { n: checked.value.byWords.tenths })}</p>}
        </Part>
        <Part name={t('partYou')} state={tasks.no > 0 ? 'error' : tasks.open > 0 ? 'open' : 'done'}>
          <a href="#to-check">{tasks.no > 0 ? t('answeredNo', { n: tasks.no }) : t('answeredOf', { done: tasks.all - tasks.open, all: tasks.all })}</a>
        </Part>
      </dl>
      {isLeft(all) && !isReaderNext && (
        <button type="button" class={isBegun.value ? 'main next' : 'next'} onClick={goToNext}>
          {t('next')}
        </button>
      )}
      {isSaved && <FixAllButton />}
      {isSaved && !isRead && errors + toFill === 0 && <ReaderButton isMain={isReaderNext} />}
      {isSaved && isReaderNext && isLeft(all) && (
        <button type="button" class="next" onClick={goToNext}>
          {t('next')}
        </button>
      )}
      {isSaved && (isFound(all) ? <AskButton /> : <SendButtons isMain={state === 'clean'} />)}
      {(errors + warnings > 0 || isShort.value) && (
        <label class="box">
          <input type="checkbox" checked={isShort.value} onChange={(event) => (isShort.value = event.currentTarget.checked)} />
          <span>{t('onlyFindings')}</span>
        </label>
      )}
    </section>
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

function foundByWords({ errors, warnings, toFill, notes }: Left): string {
  if (!isReady.value) return t('checkingDraft');
  const counts = [
    ...(errors > 0 ? [t('nErrors', { n: errors })] : []),
    ...(warnings > 0 ? [t('nWarnings', { n: warnings })] : []),
    ...(toFill > 0 ? [t('nToFill', { n: toFill })] : []),
    ...(notes > 0 ? [t('nNotes', { n: notes })] : []),
  ];
  return counts.length === 0 ? t('nothingFound') : counts.join(', ');
}

function ReaderButton({ isMain }: { isMain: boolean }) {
  return (
    <button type="button" class={isMain ? 'main' : undefined} aria-haspopup="dialog" onClick={() => (opened.value = 'reader')}>
      {t('readButton')}
    </button>
  );
}

/** What to do with a draft in which nothing was found. */
function SendButtons({ isMain }: { isMain: boolean }) {
  return (
    <>
      <HandOverButton isMain={isMain} />
      <button type="button" class={isMain && !hasWebsite() ? 'main' : undefined} aria-haspopup="dialog" onClick={() => (opened.value = 'save')}>
        {t('saveDraft')}
      </button>
    </>
  );
}
