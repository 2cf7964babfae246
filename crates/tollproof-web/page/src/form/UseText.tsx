// The text of the way to agree that a person chose, offered to its field.

import { useComputed } from '@preact/signals';

import type { Field } from 'tollproof';
import { get, isEmpty } from '../draft/pointer';
import { AskFirst } from '../parts/AskFirst';
import { takeWayText } from '../state/actions';
import { opened } from '../state/dialogs';
import { current } from '../state/session';
import { t } from '../words';
import { focusAfter, idOf } from './focus';

export function UseText({ field, text }: { field: Field; text: string }) {
  const value = useComputed(() => get(current.value.value, field.pointer)).value;
  const use = () => {
    takeWayText(field, text);
    focusAfter(`[id="${idOf(field.pointer)}"]`);
  };
  return (
    <p class="buttons">
      {/\[[^\]]+\]/.test(text) ? (
        // A place that is left open would be a finding.
        <button type="button" class="fix" aria-haspopup="dialog" onClick={() => (opened.value = 'guide')}>
          {t('guideComplete')}
        </button>
      ) : (
        <AskFirst class="fix" question={isEmpty(value) ? '' : t('replaceAsk')} act={use}>
          {t('useText')}
        </AskFirst>
      )}
    </p>
  );
}
