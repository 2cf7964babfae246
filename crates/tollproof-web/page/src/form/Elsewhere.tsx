// Findings about the whole draft, answers about no field, and what the form has no field for.

import { useComputed } from '@preact/signals';
import type { Field } from 'tollproof';

import { offerColumns } from '../columns/step';
import { get, isEmpty, isWithin, type Json } from '../draft/pointer';
import { moveValue, removeAll, setValue } from '../state/actions';
import { advice, general, NEXT_STEP, waitsWith } from '../state/explaining';
import { extras, nameAt, placed, waits } from '../state/findings';
import { current, drafts, fields, provider, providerTitle } from '../state/session';
import { AsChange } from '../parts/AsChange';
import { groupTitle, labelOf, t } from '../words';
import { FindingList } from './FindingList';
import { focusAfter, idOf } from './focus';
import { byGroup } from './groups';

export function Elsewhere() {
  const answers = general.value;
  const others = extras.value;
  const isOther = (pointer: string) => others.some((it) => isWithin(pointer, it.pointer));
  const findings = placed.value.elsewhere.filter((it) => !isOther(it.pointer));
  if (answers.length + findings.length + others.length === 0) return null;
  return (
    <section id="group-whole" aria-labelledby="group-whole-title">
      <h2 id="group-whole-title">{t('wholeDraft')}</h2>
      {answers.length + findings.length > 0 && (
        <div class="field whole" id="whole-row" data-waits={waitsWith(findings, answers)} tabIndex={-1}>
          <FindingList findings={findings} advice={answers} />
        </div>
      )}
      {drafts.value.length === 1 && others.length > 1 && (
        <p class="buttons">
          <button type="button" aria-haspopup="dialog" onClick={() => void offerColumns()}>
            {t('columnsTitle')}
          </button>
        </p>
      )}
      <div class="fields">
        {others.map((it) => (
          <Extra key={it.pointer} pointer={it.pointer} value={it.value} />
        ))}
      </div>
    </section>
  );
}

/** A choice among the fields that are empty, for a text that has none yet. */
function MoveTo({ name, move }: { name: string; move: (field: Field) => void }) {
  const free = useComputed(() => fields.value.filter((it) => it.type !== 'other' && isEmpty(get(current.value.value, it.pointer)))).value;
  return (
    <select
      aria-label={t('moveName', { name })}
      value=""
      onChange={(event) => {
        const field = free.find((it) => it.name === event.currentTarget.value);
        if (field === undefined) return;
        move(field);
        focusAfter(`[id="${idOf(field.pointer)}"]`);
      }}
    >
      <option value="">{t('moveTo')}</option>
      {byGroup(free).map((group) => (
        <optgroup key={group.name} label={groupTitle(group.name)}>
          {group.fields.map((it) => (
            <option key={it.name} value={it.name}>
              {labelOf(it).text}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

/** What to do with the fields above. */
export function NextStep() {
  const answers = advice.value.filter((it) => it.rule === NEXT_STEP);
  return answers.length === 0 ? null : (
    <>
      <FindingList findings={[]} advice={answers} />
      <AsChange />
    </>
  );
}

/** A value of the draft that is not a field of the provider. */
function Extra({ pointer, value }: { pointer: string; value: Json }) {
  const findings = placed.value.elsewhere.filter((it) => isWithin(it.pointer, pointer));
  const name = nameAt(pointer);
  const isSheet = drafts.value.length > 1;
  const remove = () => {
    if (isSheet) removeAll(pointer);
    else setValue(pointer, undefined);
    focusAfter('#group-whole .field', 'h1');
  };
  return (
    <div class="field" tabIndex={-1} id={`${idOf(pointer)}-row`} data-waits={waits(findings)}>
      <div class="entry">
        <p class="label">{name}</p>
        <p class="about">
          {t('notField', { provider: providerTitle(provider.value) })}
          <q>{typeof value === 'string' ? value : JSON.stringify(value)}</q>
        </p>
        <p class="buttons">
          {isSheet ? (
            <button type="button" aria-haspopup="dialog" onClick={() => void offerColumns()}>
              {t('columnsTitle')}
            </button>
          ) : (
            typeof value === 'string' && <MoveTo name={name} move={(field) => moveValue(pointer, field)} />
          )}
          <button type="button" aria-label={isSheet ? t('labelled', { label: t('removeAll'), text: name }) : t('removeRow', { name })} onClick={remove}>
            {isSheet ? t('removeAll') : t('remove')}
          </button>
        </p>
      </div>
      <div class="notes">{findings.length > 0 && <FindingList findings={findings} />}</div>
    </div>
  );
}
