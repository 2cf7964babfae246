// The form of the open draft.

import { signal } from '@preact/signals';

import { fields } from '../state/session';
import { GuideButton } from '../parts/GuideButton';
import { groupTitle } from '../words';
import { Elsewhere } from './Elsewhere';
import { FieldRow } from './FieldRow';
import { byGroup } from './groups';

/** Whether fields without findings are hidden. */
export const isShort = signal(false);

export function Form() {
  return (
    <form id="draft" tabIndex={-1} class={isShort.value ? 'short' : undefined} autocomplete="off" onSubmit={(event) => event.preventDefault()}>
      <Elsewhere />
      {byGroup(fields.value).map((group) => (
        <section key={group.name} id={`group-${group.name}`} aria-labelledby={`group-${group.name}-title`}>
          <h2 id={`group-${group.name}-title`} tabIndex={-1}>{groupTitle(group.name)}</h2>
          {group.name === 'opt-in' && <GuideButton />}
          {group.fields.map((field) => (
            <FieldRow key={field.pointer} field={field} />
          ))}
        </section>
      ))}
    </form>
  );
}
