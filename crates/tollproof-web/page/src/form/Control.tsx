// The control that fits the type of a field.

import type { Field } from 'tollproof';
import { grouped } from '../columns/assign';
import { get, isObject, type Json } from '../draft/pointer';
import { setValue, typeValue } from '../state/actions';
import { settled } from '../state/session';
import { SEARCHED } from '../state/unlisted';
import { Combobox } from '../parts/Combobox';
import { t } from '../words';
import { ChosenValues } from './ChosenValues';
import { type ControlProperties, keyboardOf } from './controlProperties';
import { choiceIn, described } from './described';
import { JsonText } from './JsonText';
import { MarkedText } from './MarkedText';
import { Rows } from './Rows';

export function Control(properties: ControlProperties) {
  const { field, id, value, findings, describedBy } = properties;
  const isInvalid = findings.some((it) => it.severity === 'error');
  const isRequired = field.required || undefined;
  const leave = () => {
    const number = field.type === 'integer' && typeof value === 'string' ? grouped(value) : undefined;
    if (number !== undefined) setValue(field.pointer, number);
  };
  const isOdd = isObject(value) || (Array.isArray(value) && ((value.some(isObject) && field.item === '') || !takesList(field)));
  if (field.type === 'other' || isOdd) return <JsonText {...properties} isInvalid={isInvalid} leave={leave} />;
  if (field.type === 'list') return <Rows {...properties} leave={leave} />;
  if (field.type === 'choices') return <ChosenValues {...properties} leave={leave} />;
  const text = value === undefined || value === null ? '' : String(value);
  if (field.type === 'boolean') return <YesOrNo {...properties} />;
  // A text with values is a list that also takes other values.
  if (field.values.length >= SEARCHED && ['choice', 'text'].includes(field.type)) {
    const { note } = choiceIn(field, text);
    return (
      <>
        <Combobox
          id={id}
          options={described(field).values}
          value={text}
          describedBy={describedBy}
          isInvalid={isInvalid}
          isRequired={isRequired}
          placeholder={t('search')}
          choose={(chosen) => {
            leave();
            setValue(field.pointer, chosen === '' ? undefined : chosen);
          }}
        />
        {note !== null && <p class="count">{note}</p>}
      </>
    );
  }
  if (field.type === 'choice') {
    return <Select {...properties} text={text} isInvalid={isInvalid} />;
  }
  const write = (typed: string) => typeValue(field.pointer, valueOf(field, typed));
  return (
    <MarkedText
      id={id}
      value={text}
      checked={get(settled.peek().value, field.pointer)}
      isLong={field.type === 'long-text'}
      inputMode={keyboardOf(field)}
      findings={findings.filter((it) => it.pointer === field.pointer)}
      describedBy={describedBy}
      isInvalid={isInvalid}
      isRequired={isRequired}
      write={write}
      leave={leave}
    />
  );
}

function takesList(field: Field): boolean {
  return field.type === 'list' || field.type === 'choices';
}

/** What a text means in a field: nothing if it is empty, a number where one is asked for. */
function valueOf(field: Field, typed: string): Json | undefined {
  if (typed === '') return undefined;
  return field.type === 'integer' && /^\d{1,15}$/.test(typed) ? Number(typed) : typed;
}

function Select({ field, id, describedBy, text, isInvalid }: ControlProperties & { text: string; isInvalid: boolean }) {
  const options = described(field).values;
  const isListed = text === '' || options.some((it) => it.value === text);
  return (
    <>
      <select
        id={id}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        aria-required={field.required || undefined}
        value={text}
        onChange={(event) => setValue(field.pointer, event.currentTarget.value || undefined)}
      >
        <option value="">{t('choose')}</option>
        {!isListed && <option value={text}>{text}</option>}
        {options.map((it) => (
          <option key={it.value} value={it.value}>
            {it.title}
          </option>
        ))}
      </select>
      <p class="printed">{choiceIn(field, text).title}</p>
    </>
  );
}

function YesOrNo({ field, id, value, describedBy }: ControlProperties) {
  const text = value === undefined ? '' : typeof value === 'string' ? value : String(value);
  const isOther = !['', 'true', 'false'].includes(text) || typeof value === 'string';
  return (
    <select
      id={id}
      aria-describedby={describedBy}
      aria-required={field.required || undefined}
      value={isOther ? 'other' : text}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        if (chosen !== 'other') setValue(field.pointer, chosen === '' ? undefined : chosen === 'true');
      }}
    >
      <option value="">{t('unsaid')}</option>
      <option value="true">{t('yes')}</option>
      <option value="false">{t('no')}</option>
      {isOther && <option value="other">{text}</option>}
    </select>
  );
}
