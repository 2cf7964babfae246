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
              <a href={`#group-${group.name}`} aria-label={[groupTitle(group.name), ...counts(errors, warnings)].join(', ')}>
                <span>{groupTitle(group.name)}</span>
                {errors > 0 && <span class="badge error">{errors}</span>}
                {warnings > 0 && <span class="badge warning">{warnings}</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function counts(errors: number, warnings: number): string[] {
  return [...(errors > 0 ? [t('nErrors', { n: errors })] : []), ...(warnings > 0 ? [t('nWarnings', { n: warnings })] : [])];
}
