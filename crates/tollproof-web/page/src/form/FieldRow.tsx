// One field of the form: its label, its control, what it is for, and its findings.

import { useComputed } from '@preact/signals';

import type { Field } from 'tollproof';
import { get, isEmpty } from '../draft/pointer';
import { advice, waitsWith } from '../state/explaining';
import { fieldAt, findingsOf, isAsked, isUntouched, waits } from '../state/findings';
import { current, fields, settled } from '../state/session';
import { lastStep, undoLast } from '../state/undo';
import { labelOf, t } from '../words';
import { Phone } from '../parts/Phone';
import { Control } from './Control';
import { isNeeded } from './described';
import { About } from './About';
import { FillAll } from './FillAll';
import { FindingList } from './FindingList';
import { focusAfter, goToNext, idOf } from './focus';
import { widthOf } from './width';

export function FieldRow({ field }: { field: Field }) {
  const id = idOf(field.pointer);
  // A row is drawn again only when something of its own has changed.
  const value = useComputed(() => get(current.value.value, field.pointer)).value;
  const all = useComputed(() => findingsOf(field)).value;
  const findings = useComputed(() => isUntouched(field)).value ? [] : all;
  const answers = advice.value.filter((it) => fieldAt(fields.value, it.pointer) === field);
  const label = labelOf(field);
  const hasNotes = findings.length + answers.length > 0;
  const isGroup = field.type === 'list' || field.type === 'choices';
  // What else the draft says may require it.
  const isToFill = useComputed(() => isAsked(settled.value, field)).value;
  const isRequired = field.required || isToFill || (isEmpty(value) && waits(all) === 'error');
  const isToReview = !isRequired && (isNeeded(field) || (isEmpty(value) && waits(all) !== undefined));
  const said = [...answers, ...findings].map((_, at) => `${id}-finding-${at}`);
  const describedBy = [...(isToReview ? [`${id}-needed`] : []), `${id}-about`, ...said].join(' ');
  const isMessage = field.group === 'message' && typeof value === 'string' && !isEmpty(value);
  return (
    <div
      class={`field ${widthOf(field)}`}
      id={`${id}-row`}
      tabIndex={-1}
      data-waits={waitsWith(all, answers) ?? (isToFill ? 'warning' : undefined)}
      data-empty={(isEmpty(value) && !hasNotes) || undefined}
      role={isGroup ? 'group' : undefined}
      aria-labelledby={isGroup ? `${id}-label${isRequired ? ` ${id}-required` : ''}` : undefined}
    >
      <div class="entry">
        <p class="label">
          {isGroup ? (
            <span id={`${id}-label`} lang={label.lang}>
              {label.text}
            </span>
          ) : (
            <label id={`${id}-label`} for={id} lang={label.lang}>
              {label.text}
            </label>
          )}
          {isRequired && <span class="required" id={`${id}-required`}>{t('required')}</span>}
          {isToReview && <span class="required" id={`${id}-needed`}>{t('neededByReviewers')}</span>}
        </p>
        <Control field={field} id={id} value={value} findings={findings} describedBy={describedBy} />
        <About id={`${id}-about`} field={field} />
        {!isEmpty(value) && <FillAll field={field} />}
        {field.maxLength !== null && typeof value === 'string' && value.length > field.maxLength * 0.8 && (
          <p class="count">{t('characters', { n: value.length, most: field.maxLength })}</p>
        )}
        {isMessage && <Phone text={value} pointer={field.pointer} />}
      </div>
      <div class="notes">
        {lastStep.value?.at === field.pointer && lastStep.value.draft === current.value.id && (
          <p class="undo">
            <button
              type="button"
              class="link"
              onClick={() => {
                undoLast();
                focusAfter(`[id="${id}-row"]`);
              }}
            >
              {t('undo')}
            </button>
          </p>
        )}
        {hasNotes && <FindingList id={`${id}-finding`} findings={findings} advice={answers} />}
        {waits(findings) && (
          <button type="button" class="link on" onClick={goToNext}>
            {t('nextOne')}
          </button>
        )}
      </div>
    </div>
  );
}

