// Which column of a sheet is which field of the provider.

import { useId, useMemo, useState } from 'preact/hooks';

import { type ColumnChoice, KEEP, LEAVE_OUT } from '../columns/assign';
import { isMany, type KnownNames, proposed } from '../columns/proposals';
import { applyColumns, sheetFor, step } from '../columns/step';
import { focusAfter } from '../form/focus';
import { byGroup } from '../form/groups';
import { Dialog } from '../parts/Dialog';
import { close } from '../state/dialogs';
import { allProviders, drafts, providerTitle } from '../state/session';
import { groupTitle, labelOf, t } from '../words';

/** How many texts of a column are shown. */
const SHOWN = 3;

export function ColumnsDialog() {
  const begun = step.value;
  const [target, setTarget] = useState(begun?.provider ?? '');
  return (
    <Dialog title={t('columnsTitle')} close={leave}>
      {begun?.isProviderAsked && (
        <p class="line">
          <label for="columns-provider">{t('provider')}</label>
          <select id="columns-provider" value={target} onChange={(event) => setTarget(event.currentTarget.value)}>
            {allProviders().map((it) => (
              <option key={it.name} value={it.name}>
                {it.title}
              </option>
            ))}
          </select>
        </p>
      )}
      {begun && <Columns key={target} target={target} names={begun.names} />}
    </Dialog>
  );
}

function leave(): void {
  close();
  focusAfter('h1');
}

function Columns({ target, names }: { target: string; names: KnownNames }) {
  const id = useId();
  const sheet = useMemo(() => sheetFor(target), []);
  const [choices, setChoices] = useState<ReadonlyMap<string, ColumnChoice>>(() => proposed(sheet, target, names));
  const [isBusy, setBusy] = useState(false);
  const groups = byGroup(sheet.fields.filter((it) => it.type !== 'other'));
  const used = new Set([...choices.values(), ...sheet.taken]);
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    applyColumns(target, sheet, choices, leave);
  };
  return (
    <form onSubmit={submit}>
      <p>{t('columnsAbout', { n: sheet.unknown.length, provider: providerTitle(target) })}</p>
      <ul class="columns">
        {sheet.unknown.map(({ name, texts }, at) => (
          <li key={name}>
            <label for={`${id}-${at}`}>{name}</label>
            <p id={`${id}-${at}-texts`} class="texts">
              {texts.slice(0, SHOWN).map((it) => (
                <q key={it}>{it}</q>
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
