// Which column of a sheet is which field of the provider.

import { useId, useMemo, useState } from 'preact/hooks';

import { type ColumnChoice, FULL_NAME, KEEP, LEAVE_OUT, nameFields, namesIn } from '../columns/assign';
import { isMany, type KnownNames, proposed } from '../columns/proposals';
import { applyColumns, sheetFor, step } from '../columns/step';
import { focusAfter } from '../form/focus';
import { byGroup } from '../form/groups';
import { Dialog } from '../parts/Dialog';
import { ProviderChoice } from '../parts/ProviderChoice';
import { close } from '../state/dialogs';
import { drafts, waiting } from '../state/session';
import { groupTitle, labelOf, t } from '../words';

/** How many texts of a column are shown. */
const SHOWN = 3;

export function ColumnsDialog() {
  const begun = step.value;
  const target = begun?.provider ?? '';
  return (
    <Dialog title={t('columnsTitle')} close={leave}>
      {begun?.isProviderAsked && <ProviderChoice id="columns-provider" value={target} choose={(name) => (step.value = { ...begun, provider: name })} />}
      {begun && target === '' && <p class="hint">{t('columnsProvider')}</p>}
      {begun && target !== '' && <Columns key={target} target={target} names={begun.names} />}
    </Dialog>
  );
}

function leave(): void {
  waiting.value = undefined;
  close();
  focusAfter('h1');
}

function Columns({ target, names }: { target: string; names: KnownNames }) {
  const id = useId();
  const sheet = useMemo(() => sheetFor(target), []);
  const proposals = useMemo(() => proposed(sheet, target, names), []);
  const [choices, setChoices] = useState<ReadonlyMap<string, ColumnChoice>>(proposals);
  const [isBusy, setBusy] = useState(false);
  const groups = byGroup(sheet.fields.filter((it) => it.type !== 'other'));
  const parts = nameFields(sheet.fields);
  const used = new Set([...choices.values(), ...sheet.taken]);
  if (used.has(FULL_NAME)) for (const it of parts) used.add(it.name);
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    applyColumns(target, sheet, choices, leave);
  };
  return (
    <form onSubmit={submit}>
      <p>{t('columnsAbout', { done: [...proposals.values()].filter((it) => it !== LEAVE_OUT && it !== KEEP).length, all: sheet.unknown.length })}</p>
      <ul class="columns">
        {sheet.unknown.map(({ name, texts }, at) => (
          <li key={name}>
            <label for={`${id}-${at}`}>{name}</label>
            <p id={`${id}-${at}-texts`} class="texts">
              {texts.slice(0, SHOWN).map((it) => (
                <q key={it}>{choices.get(name) === FULL_NAME ? namesIn(it).join(' · ') : it}</q>
              ))}
            </p>
            <select
              id={`${id}-${at}`}
              aria-describedby={`${id}-${at}-texts`}
              value={choices.get(name) ?? KEEP}
              onChange={(event) => setChoices(new Map(choices).set(name, event.currentTarget.value))}
            >
              <option value={KEEP}>{t('columnKeep')}</option>
              <option value={LEAVE_OUT}>{t('columnOut')}</option>
              {parts.length > 0 && (
                <option value={FULL_NAME} disabled={choices.get(name) !== FULL_NAME && (used.has(FULL_NAME) || parts.some((it) => used.has(it.name)))}>
                  {parts.map((it) => labelOf(it).text).join(' + ')}
                </option>
              )}
              {groups.map((group) => (
                <optgroup key={group.name} label={groupTitle(group.name)}>
                  {group.fields.map((it) => (
                    <option key={it.name} value={it.name} disabled={used.has(it.name) && it.name !== choices.get(name) && !isMany(it)}>
                      {labelOf(it).text}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </li>
        ))}
      </ul>
      <p class="buttons">
        <button type="submit" class="main" disabled={isBusy}>
          {t('columnsApply', { n: drafts.value.length })}
        </button>
        <button type="button" onClick={leave}>
          {t('columnsSkip')}
        </button>
      </p>
    </form>
  );
}
