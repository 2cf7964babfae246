// The way to the next draft of a sheet that is not ready.

import { focusAfter } from '../form/focus';
import { nextUnready } from '../sheet/rowState';
import { openRow } from '../state/actions';
import { drafts, position, view } from '../state/session';
import { t } from '../words';

export function NextDraft() {
  if (drafts.value.length === 1) return null;
  const next = nextUnready(view.value === 'sheet' ? 0 : position.value + 1);
  return next === undefined ? null : (
    <button type="button" onClick={() => showRow(next)}>
      {t('nextUnready')}
    </button>
  );
}

/** Opens a draft of the table at its head. */
export function showRow(at: number): void {
  openRow(at);
  scrollTo(0, 0);
  focusAfter('h1');
}
