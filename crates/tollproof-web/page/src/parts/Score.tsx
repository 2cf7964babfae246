// What is left until the draft can be sent: findings, empty fields, and what only a person can check.

import { computed } from '@preact/signals';

import { focusRow, lastVisited } from '../form/focus';
import { isShort } from '../form/Form';
import { tick } from '../state/actions';
import { opened } from '../state/dialogs';
import { isUntouched, placed, waits } from '../state/findings';
import { isReady, spoken } from '../engine';
import { checked, current, fields, isBegun, isFilled } from '../state/session';
import { t } from '../words';
import { AskButton } from './AskButton';
import { FixAllButton } from './FixAllButton';
import { HandOverButton, hasWebsite } from './Header';

export interface Left {
  toFill: number;
  errors: number;
  warnings: number;
  notes: number;
  toCheck: number;
  /** Whether words alone judged it. */
  byWords: boolean;
}

export const left = computed<Left>(() => {
  const found: Left = { toFill: 0, errors: 0, warnings: 0, notes: 0, toCheck: 0, byWords: checked.value.byWords !== null };
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
  found.toCheck = checked.value.notChecked.filter((it) => !current.value.ticked.includes(it)).length;
  return found;
});

/** One sentence that says where the draft is. */
export function verdict(): string {
  return isReady.value ? verdictOn(left.value) : t('checkingDraft');
}

export function verdictOn({ errors, warnings, toFill, notes, toCheck, byWords }: Left): string {
  if (errors > 0) return t('leftErrors', { n: errors });
  if (toFill > 0) return t('nToFill', { n: toFill });
  if (warnings > 0) return t('leftWarnings', { n: warnings });
  if (notes > 0) return t('leftNotes', { n: notes });
  if (byWords) return toCheck > 0 ? t('leftToCheckByWords', { n: toCheck }) : t('leftByWords');
  return toCheck > 0 ? t('leftToCheck', { n: toCheck }) : t('leftNothing');
}

/** Goes to the next field that needs a person, from the last visited one on. */
export function goToNext(): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.field')];
  const here = rows.findIndex((it) => it.id === lastVisited.value);
  const waiting = rows.filter((it) => it.dataset.waits !== undefined);
  const next = waiting.find((it) => rows.indexOf(it) > here) ?? waiting[0];
  if (next !== undefined) focusRow(next);
}

export function Score() {
  const { errors, warnings, toFill, notes } = left.value;
  const isSaved = isReady.value && isBegun.value;
  const state = !isReady.value ? 'waiting' : errors > 0 ? 'error' : warnings > 0 || toFill > 0 ? 'warning' : 'clean';
  return (
    <section class={`score ${state}`} aria-labelledby="score">
      <h2 id="score">{verdict()}</h2>
      {isReady.value && checked.value.byWords !== null && <p class="by-words">{t('byWords', { n: checked.value.byWords.tenths })}</p>}
      <dl>
        {toFill > 0 && (
          <div class="fill">
            <dt>{t('toFill')}</dt>
            <dd>{toFill}</dd>
          </div>
        )}
        <div class={errors > 0 ? 'error' : 'none'}>
          <dt>{t('errors')}</dt>
          <dd>{errors}</dd>
        </div>
        <div class={warnings > 0 ? 'warning' : 'none'}>
          <dt>{t('warnings')}</dt>
          <dd>{warnings}</dd>
        </div>
        {notes > 0 && (
          <div class="info">
            <dt>{t('notes')}</dt>
            <dd>{notes}</dd>
          </div>
        )}
        <div class="none">
          <dt>
            <a href="#to-check">{t('toCheckCount')}</a>
          </dt>
          <dd>{left.value.toCheck}</dd>
        </div>
      </dl>
      {errors + warnings + toFill > 0 ? (
        <>
          <button type="button" class="main" onClick={goToNext}>
            {t('next')}
          </button>
          {isSaved && <FixAllButton />}
          {isSaved && <AskButton />}
        </>
      ) : isSaved && (
        <>
          <HandOverButton isMain />
          <button type="button" class={hasWebsite() ? undefined : 'main'} aria-haspopup="dialog" onClick={() => (opened.value = 'save')}>
            {t('saveDraft')}
          </button>
        </>
      )}
      {(errors + warnings > 0 || isShort.value) && (
        <label class="box">
          <input type="checkbox" checked={isShort.value} onChange={(event) => (isShort.value = event.currentTarget.checked)} />
          <span>{t('onlyFindings')}</span>
        </label>
      )}
    </section>
  );
}

/** What the engine cannot see, to be ticked by a person. */
export function ToCheck() {
  if (!isFilled.value) return null;
  const { ticked } = current.value;
  return (
    <section id="to-check" class="to-check" aria-labelledby="to-check-title">
      <h2 id="to-check-title">{t('toCheck')}</h2>
      <ul>
        {checked.value.notChecked.map((it) => (
          <li key={it}>
            <label lang={spoken.value}>
              <input type="checkbox" checked={ticked.includes(it)} onChange={(event) => tick(it, event.currentTarget.checked)} />
              <span>{it.charAt(0).toUpperCase() + it.slice(1)}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}
