// The groups of the form with their counts, as links.

import { byGroup } from '../form/groups';
import { isUntouched, placed } from '../state/findings';
import { fields } from '../state/session';
import { groupTitle, t } from '../words';

export function Contents() {
  return (
    <nav class="contents" aria-label={t('contents')}>
      <ul>
        {byGroup(fields.value).map((group) => {
          const findings = group.fields.filter((it) => !isUntouched(it)).flatMap((it) => placed.value.byField.get(it.pointer) ?? []);
          const errors = findings.filter((it) => it.severity === 'error').length;
          const warnings = findings.filter((it) => it.severity === 'warning').length;
          return (
            <li key={group.name}>
              <a href={`#group-${group.name}`}>
                <span>{groupTitle(group.name)}</span>
                {errors > 0 && <Count kind="error" n={errors} />}
                {warnings > 0 && <Count kind="warning" n={warnings} />}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Count({ kind, n }: { kind: 'error' | 'warning'; n: number }) {
  return (
    <span class={`badge ${kind}`}>
      <span aria-hidden="true">{n}</span>
      <span class="hidden">, {t(kind === 'error' ? 'nErrors' : 'nWarnings', { n })}</span>
    </span>
  );
}
