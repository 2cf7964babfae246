// The draft for a person who types it into the website of a provider: field by field, to copy and to tick off.

import { computed } from '@preact/signals';

import { fields as fieldsOf, inLanguage } from '../engine';
import { focusAfter, focusField } from '../form/focus';
import { Aside } from '../parts/Aside';
import { CopyButton } from '../parts/CopyButton';
import { left, verdict } from '../parts/Score';
import { get } from '../draft/pointer';
import { closeHandOver, tick, typeDrafts } from '../state/actions';
import { placed } from '../state/findings';
import { current, fields, isNumberForIdentifier, kind, nameOf, position, provider, providerTitle } from '../state/session';
import { groupTitle, labelOf, t } from '../words';
import { asText, entries, type Entry, joined } from './entries';
import { ForDeveloper } from './ForDeveloper';
import { HaveReady } from './HaveReady';
import { whereToFind } from './where';

export function HandOver() {
  const groups = [...entries()];
  const all = groups.flatMap(([, list]) => list);
  const done = all.filter((it) => current.value.ticked.includes(tickOf(it))).length;
  const name = nameOf(current.value, position.value, fields.value);
  const title = providerTitle(provider.value);
  return (
    <div class="handover">
      <div class="start">
        <p>
          <button type="button" class="link" onClick={() => closeHandOver(() => focusAfter('h1'))}>
            ← {t('handoverBack')}
          </button>
        </p>
        <h1 tabIndex={-1}>{t('handoverTitle', { provider: title })}</h1>
        {!name.startsWith('#') && <p class="of">{name}</p>}
        <p class="lead">{t('handoverAbout', { provider: title })}</p>
        {left.value.errors + left.value.toFill > 0 && <p class="hint">{verdict()}</p>}
        <Aside />
        {left.value.kept !== '' && <p class="hint">{t('keptEmpty', { names: left.value.kept })}</p>}
        <p class="buttons">
          <CopyButton text={asText} words={t('copyAll')} name="" />
          <button type="button" onClick={() => print()}>
            {t('print')}
          </button>
        </p>
      </div>
      <p class="progress">
        <progress max={all.length} value={done} aria-label={t('doneFields')} /> {t('doneOf', { done, all: all.length })}
      </p>
      <HaveReady />
      {groups.map(([group, list]) => (
        <section key={group} aria-labelledby={`over-${group}`}>
          <h2 id={`over-${group}`}>{groupTitle(group)}</h2>
          <ul>
            {list.map((it) => (
              <EntryItem key={it.field.pointer} entry={it} />
            ))}
          </ul>
        </section>
      ))}
      {done === all.length && (
        <p class="ending" role="status">
          {t('handoverEnd', { provider: title })}
        </p>
      )}
      <ForDeveloper />
    </div>
  );
}

function EntryItem({ entry }: { entry: Entry }) {
  const { field, values } = entry;
  const label = labelOf(field);
  const english = inEnglish.value.get(field.name) ?? '';
  const names = [english, wordsOf(field.name)].filter((it, at, all) => all.findIndex((other) => isSame(it, other)) === at && !isSame(it, label.text));
  const isMissing = values.length === 0;
  const where = isMissing ? whereToFind(field) : '';
  const all = (placed.value.byField.get(field.pointer) ?? []).filter((it) => it.severity === 'error');
  const errors = all.length;
  const isForPrograms = all.some((it) => isNumberForIdentifier(it, current.value.value));
  const key = tickOf(entry);
  const isDone = current.value.ticked.includes(key);
  // Each item of a list has a place of its own on a website.
  const isList = field.type === 'list' && values.length > 1;
  return (
    <li class={isDone ? 'over done' : 'over'}>
      <div class="what">
        <h3 lang={label.lang}>{label.text}</h3>
        {names.map((name) => (
          <p key={name} lang="en">
            {name}
          </p>
        ))}
      </div>
      <div class="value">
        {isMissing ? <p class="badge warning">{t('missing')}</p> : errors > 0 && <p class="badge error">{t('nErrors', { n: errors })}</p>}
        {values.map((it, at) => (
          <p key={at}>
            <span class="text" lang={it.raw === null ? undefined : 'en'}>{it.text}</span>
            {isList && <CopyButton class="link" text={() => it.text} name={`${label.text} ${at + 1}`} />}
          </p>
        ))}
        {where !== '' && <p class="about">{where}</p>}
        {isForPrograms && (
          <button type="button" class="fix" onClick={() => typeDrafts(undefined)}>
            {t('typedThere', { provider: providerTitle(provider.value) })}
          </button>
        )}
      </div>
      <div class="do">
        {isMissing ? (
          <button type="button" onClick={() => closeHandOver(() => focusField(field.pointer))}>
            {t('fillIn')} <span class="hidden">{label.text}</span>
          </button>
        ) : (
          <>
            {!isList && <CopyButton text={() => joined(entry)} name={label.text} lang={label.lang} copied={() => tick(key, true)} />}
            <label class="box">
              <input type="checkbox" checked={isDone} onChange={(event) => tick(key, event.currentTarget.checked)} />
              <span>
                {t('done')} <span class="hidden">{label.text}</span>
              </span>
            </label>
          </>
        )}
      </div>
    </li>
  );
}

/** A name of a provider's API in words: `optInWorkflow.description` is "Opt in workflow, description". */
function wordsOf(name: string): string {
  const words = name.replace(/\./g, ', ').replace(/_/g, ' ').replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isSame(one: string, other: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\W/g, '');
  return plain(one) === plain(other);
}

/** The labels of the fields in English, as websites of providers have them. */
const inEnglish = computed(() => new Map(inLanguage('en', () => fieldsOf(provider.value, kind.value)).map((it) => [it.name, it.title])));

/** What is ticked is the value: another one has not been typed yet. */
function tickOf({ field: { pointer } }: Entry): string {
  return `${pointer} ${JSON.stringify(get(current.value.value, pointer))}`;
}

