// The form of the open draft.

import { extras, nameAt, placed } from '../state/findings';
import { setValue } from '../state/actions';
import { fields, provider, providerTitle } from '../state/session';
import { groupTitle, language, t } from '../words';
import { byGroup } from './groups';
import { FieldRow } from './FieldRow';
import { FindingList } from './FindingList';
import { advice } from '../state/session';

export function Form() {
  return (
    <form autocomplete="off" onSubmit={(event) => event.preventDefault()}>
      <Elsewhere />
      {byGroup(fields.value).map((group) => (
        <section key={group.name} id={`group-${group.name}`} aria-labelledby={`group-${group.name}-title`}>
          <h2 id={`group-${group.name}-title`} lang={language.value}>
            {groupTitle(group.name)}
          </h2>
          {group.fields.map((field) => (
            <FieldRow key={field.pointer} field={field} />
          ))}
        </section>
      ))}
    </form>
  );
}

/** Findings about the whole draft, answers about no field, and what the form does not show. */
function Elsewhere() {
  const answers = advice.value.filter((it) => it.pointer === null || it.pointer === '');
  const findings = placed.value.elsewhere;
  const others = extras.value;
  if (answers.length + findings.length + others.length === 0) return null;
  return (
    <section class="elsewhere" id="group-whole" aria-labelledby="group-whole-title">
      <h2 id="group-whole-title">{t('wholeDraft')}</h2>
      <FindingList findings={findings} advice={answers} />
      {others.length > 0 && (
        <>
          <p>{t('notFields', { provider: providerTitle(provider.value) })}</p>
          <dl class="extras">
            {others.map((it) => (
              <div key={it.pointer}>
                <dt>{nameAt(it.pointer)}</dt>
                <dd>
                  <span>{typeof it.value === 'string' ? it.value : JSON.stringify(it.value)}</span>
                  <button
                    type="button"
                    class="quiet"
                    aria-label={t('removeRow', { name: nameAt(it.pointer) })}
                    onClick={() => setValue(it.pointer, undefined)}
                  >
                    ✕
                  </button>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}
