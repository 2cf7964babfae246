// The groups of the form as links: which is done, which waits, and where a person is.

import { useEffect, useState } from 'preact/hooks';

import type { Field } from 'tollproof';
import { get, isEmpty } from '../draft/pointer';
import { isShort } from '../form/Form';
import { byGroup, type GroupOfFields } from '../form/groups';
import { advice, general, stateOf as reasonState } from '../state/explaining';
import { fieldAt, isAsked, isUntouched, placed } from '../state/findings';
import { fields, isFilled, keptFields, settled } from '../state/session';
import { steady } from '../state/steady';
import { countTasks } from '../tasks/tasks';
import { groupTitle, t } from '../words';

/** How far a draft is. */
const progress = steady(() => ({
  whole: placed.value.elsewhere.length + general.value.length > 0 ? stateOfWhole() : null,
  groups: byGroup(fields.value).map((group) => ({ name: group.name, state: stateOf(group) })),
  tasks: countTasks(settled.value, fields.value),
}));

export function Contents() {
  const { whole, groups, tasks } = progress.value;
  const here = useHere(['group-whole', ...groups.map((it) => `group-${it.name}`), 'to-check'].join(' '));
  // A section without findings is there again for who goes to it.
  const show = (id: string) => document.getElementById(id)?.checkVisibility() === false && (isShort.value = false);
  const link = (id: string, title: string, state: { errors: number; warnings: number; isDone: boolean }) => (
    <li key={id}>
      <a href={`#${id}`} aria-current={here === id ? 'location' : undefined} onClick={() => show(id)}>
        <span>{title}</span>
        <State {...state} />
      </a>
    </li>
  );
  return (
    <nav class="contents" aria-label={t('contents')}>
      <details open={matchMedia('(min-width: 66rem)').matches}>
        <summary>{t('contents')}</summary>
        <ul>
          {whole && link('group-whole', t('wholeDraft'), whole)}
          {groups.map((group) => link(`group-${group.name}`, groupTitle(group.name), group.state))}
          {isFilled.value && link('to-check', t('toCheck'), { errors: tasks.no, warnings: 0, isDone: tasks.open + tasks.no === 0 })}
        </ul>
      </details>
    </nav>
  );
}

function State({ errors, warnings, isDone }: { errors: number; warnings: number; isDone: boolean }) {
  if (isDone) return <span class="done">✓<span class="hidden"> {t('done')}</span></span>;
  const badge = (kind: string, n: number, words: string) =>
    n > 0 && (
      <span class={`badge ${kind}`} aria-label={words} role="img">
        {n}
      </span>
    );
  return (
    <>
      {badge('error', errors, t('nErrors', { n: errors }))}
      {badge('warning', warnings, t('nWarnings', { n: warnings }))}
    </>
  );
}

function stateOfWhole() {
  const count = (severity: string) => placed.value.elsewhere.filter((it) => it.severity === severity).length;
  const isRefused = general.value.some((it) => reasonState(it) === 'open');
  return { errors: count('error'), warnings: count('warning'), isDone: !isRefused && placed.value.elsewhere.length === 0 };
}

function stateOf(group: GroupOfFields) {
  const all = group.fields.flatMap((it) => placed.value.byField.get(it.pointer) ?? []);
  const findings = group.fields.filter((it) => !isUntouched(it)).flatMap((it) => placed.value.byField.get(it.pointer) ?? []);
  const count = (severity: string) => findings.filter((it) => it.severity === severity).length;
  const isKept = keptFields(settled.value, fields.value).some((it) => it.group === group.name);
  const isFilled = group.fields.some((it) => !isEmpty(get(settled.value.value, it.pointer)));
  const isRefused = advice.value.some((it) => reasonState(it) === 'open' && group.fields.includes(fieldAt(fields.value, it.pointer) as Field));
  return { errors: count('error'), warnings: count('warning'), isDone: isFilled && !isKept && !isRefused && all.length === 0 && !group.fields.some((it) => isAsked(settled.value, it)) };
}

/** The id of the section that is read: the last that begins in the upper part of the window. */
function useHere(ids: string): string | null {
  const [here, setHere] = useState<string | null>(null);
  useEffect(() => {
    const look = () => {
      const sections = ids.split(' ').flatMap((id) => document.getElementById(id) ?? []);
      setHere(sections.filter((it) => it.getBoundingClientRect().top < innerHeight / 3).at(-1)?.id ?? null);
    };
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [ids]);
  return here;
}
