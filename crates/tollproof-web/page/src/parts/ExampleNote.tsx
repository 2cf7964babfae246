// Says that the draft is an example, and takes it away.

import { useComputed } from '@preact/signals';

import { focusAfter } from '../form/focus';
import { clearExample } from '../state/actions';
import { current } from '../state/session';
import { t } from '../words';

export function ExampleNote() {
  const example = useComputed(() => current.value.example).value;
  if (example === undefined) return null;
  return (
    <div class="example-note">
      <p>
        {example === 'edited' ? (
          t('exampleEdited')
        ) : (
          <>
            <b>{t('exampleTitle')}</b> {t('exampleAbout')}
          </>
        )}
      </p>
      <button
        type="button"
        class={example === 'edited' ? undefined : 'main'}
        onClick={() => {
          clearExample();
          focusAfter('.field :is(input, textarea)');
        }}
      >
        {t('exampleClear')}
      </button>
    </div>
  );
}
