// The form of the open draft.

import { computed, signal, untracked } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import type { Field } from 'tollproof';
import { get, isEmpty } from '../draft/pointer';
import { GuideButton } from '../parts/GuideButton';
import { findingsOf } from '../state/findings';
import { current, fields } from '../state/session';
import { pause } from '../state/slices';
import { groupTitle, t } from '../words';
import { Elsewhere, NextStep } from './Elsewhere';
import { FieldRow } from './FieldRow';
import { byGroup, type GroupOfFields } from './groups';
import { isRare } from './width';

/** Whether fields without findings are hidden. */
export const isShort = signal(false);

const groups = computed(() => byGroup(fields.value));
/** How many groups are drawn. */
const drawn = signal(1);

/** Draws the groups after the first, with pauses, so that a person can write in the first soon. */
export async function drawAllGroups(): Promise<void> {
  for (const _ of groups.peek()) {
    await pause();
    drawn.value++;
  }
  drawn.value = Infinity;
}

export function Form() {
  return (
    <form id="draft" tabIndex={-1} class={isShort.value ? 'short' : undefined} autocomplete="off" onSubmit={(event) => event.preventDefault()}>
      <Elsewhere />
      {groups.value.slice(0, drawn.value).map((group) => (
        <Group key={group.name} group={group} />
      ))}
      <NextStep />
    </form>
  );
}

function Group({ group }: { group: GroupOfFields }) {
  const id = `group-${group.name}`;
  const rows = (some: Field[]) => some.map((field) => <FieldRow key={field.pointer} field={field} />);
  // A field that was folded stays where it is while a person writes in it: only another draft or layout folds again.
  const folded = useMemo(() => untracked(() => group.fields.filter(isFolded)), [group.fields]);
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} tabIndex={-1}>
        {groupTitle(group.name)}
      </h2>
      {group.name === 'opt-in' && <GuideButton />}
      <div class="fields">{rows(group.fields.filter((it) => !folded.includes(it)))}</div>
      {folded.length > 0 && (
        <details>
          <summary>{t('rare', { n: folded.length })}</summary>
          <div class="fields">{rows(folded)}</div>
        </details>
      )}
    </section>
  );
}

/** Whether a field waits in a fold: few people need it, it is empty, and nothing is found in it. */
function isFolded(field: Field): boolean {
  return isRare(field) && isEmpty(get(current.value.value, field.pointer)) && findingsOf(field).length === 0;
}
