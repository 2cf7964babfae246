// Several values out of a closed list.

import { isEmpty, type Json } from '../draft/pointer';
import { setValue } from '../state/actions';
import { Combobox } from '../parts/Combobox';
import { t } from '../words';
import { SEARCHED } from '../state/unlisted';
import type { ControlProperties } from './controlProperties';
import { choiceIn, described } from './described';
import { focusAfter } from './focus';

export function ChosenValues({ field, id, value, findings, describedBy, leave }: ControlProperties & { leave: () => void }) {
  const entries: Json[] = Array.isArray(value) ? value : isEmpty(value) ? [] : [value as Json];
  const chosen = entries.map(String);
  const write = (list: Json[]) => {
    leave();
    setValue(field.pointer, list.length === 0 ? undefined : list);
  };
  const toggle = (entry: string, isChosen: boolean) =>
    write(isChosen ? [...entries, entry] : entries.filter((it) => it !== entry));
  const removeAt = (at: number) => {
    write(entries.toSpliced(at, 1));
    focusAfter(`[id="${id}"]`);
  };
  const unlisted = chosen.filter((it) => field.values.every((listed) => listed.value !== it));
  if (field.values.length < SEARCHED) {
    const all = [...described(field).values, ...unlisted.map((it) => choiceIn(field, it))];
    return (
      <div class="boxes">
        {all.map((it, at) => (
          <label key={it.value}>
            <input
              id={at === 0 ? id : undefined}
              type="checkbox"
              aria-describedby={describedBy}
              checked={chosen.includes(it.value)}
              onChange={(event) => toggle(it.value, event.currentTarget.checked)}
            />{' '}
            {it.title}
            {it.note !== null && <small>{it.note}</small>}
          </label>
        ))}
      </div>
    );
  }
  return (
    <div class="chosen">
      {chosen.length > 0 && (
        <ul>
          {chosen.map((it) => choiceIn(field, it)).map((it, at) => (
            <li key={`${at} ${it.value}`} class={findings.some((finding) => finding.pointer.endsWith(`/${at}`)) ? 'odd' : undefined}>
              {it.title}
              {it.note !== null && <small>{it.note}</small>}
              <button type="button" class="quiet" aria-label={t('removeRow', { name: it.title })} onClick={() => removeAt(at)}>
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <Combobox
        id={id}
        labelledBy={`${id}-label`}
        options={described(field).values.filter((it) => !chosen.includes(it.value))}
        value=""
        describedBy={describedBy}
        isRequired={(field.required && chosen.length === 0) || undefined}
        isInvalid={findings.some((it) => it.severity === 'error')}
        placeholder={t('addChoice')}
        choose={(it) => it !== '' && write([...entries, it])}
      />
    </div>
  );
}
