// The head of the form: which draft this is, for which provider, and on the first visit how to begin.

import { useComputed } from '@preact/signals';
import type { Kind } from 'tollproof';

import { chooseKind, chooseProvider, closeRow, openRow } from '../state/actions';
import { focusAfter } from '../form/focus';
import { checked, current, drafts, fields, fileName, kind, kindName, kindsOf, nameOf, position, provider } from '../state/session';
import { t } from '../words';
import { Aside } from './Aside';
import { ExampleNote } from './ExampleNote';
import { GuideButton } from './GuideButton';
import { Kept } from './Kept';
import { ProviderChoice } from './ProviderChoice';

export function Start() {
  const kinds = kindsOf(provider.value);
  const isMany = drafts.value.length > 1;
  // What is typed here does not change the head: the field would move at the first key.
  const isTyped = useComputed(() => !isMany && !current.value.opened).value;
  const name = useComputed(() => nameOf(current.value, position.value, fields.value)).value;
  const checkedAs = useComputed(() => checked.value.kind).value;
  return (
    <div class="start">
      {isMany && <Neighbours />}
      {isTyped ? (
        <>
          <h1 tabIndex={-1}>{t('title')}</h1>
          <p class="lead">{t('lead')}</p>
          <p class="trust">{t('trust')}</p>
          <GuideButton />
          <Kept />
        </>
      ) : (
        <h1 tabIndex={-1}>{name.startsWith('#') && !isMany ? fileName.value || t('newDraft') : name}</h1>
      )}
      <ExampleNote />
      <div class="choices">
        <ProviderChoice id="provider" value={provider.value} choose={chooseProvider} />
        {kinds.length > 1 && (
          <p>
            <label for="kind">{t('kind')}</label>
            <select
              id="kind"
              value={kind.value ?? checkedAs ?? kinds[0]}
              onChange={(event) => chooseKind(event.currentTarget.value as Kind)}
            >
              {kinds.map((it) => (
                <option key={it} value={it}>
                  {t(kindName(it))}
                </option>
              ))}
            </select>
          </p>
        )}
      </div>
      <Aside />
    </div>
  );
}

/** The way back to the table, and to the rows before and after this one. */
function Neighbours() {
  const at = position.value;
  const last = drafts.value.length - 1;
  const back = () => {
    closeRow();
    focusAfter(`[id="row-${current.value.id}"]`, 'h1');
  };
  return (
    <nav class="neighbours" aria-label={t('drafts')}>
      <button type="button" class="link" onClick={back}>
        ← {t('backToSheet', { n: drafts.value.length })}
      </button>
      <span>
        <button type="button" disabled={at === 0} onClick={() => openRow(at - 1)}>
          {t('previousRow')}
        </button>
        <span>{t('rowOf', { row: at + 1, n: last + 1 })}</span>
        <button type="button" disabled={at === last} onClick={() => openRow(at + 1)}>
          {t('nextRow')}
        </button>
      </span>
    </nav>
  );
}
