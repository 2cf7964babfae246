// A payload pasted as text.

import { useState } from 'preact/hooks';

import { openText } from '../state/actions';
import { notice } from '../state/undo';
import { Dialog } from '../parts/Dialog';
import { t } from '../words';
import { close, opened } from '../state/dialogs';

export function PasteDialog() {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await openText(text)) {
      // What was pasted may have opened another dialog.
      if (opened.value === 'paste') close();
      return;
    }
    setError([notice.value?.words, ...(notice.value?.lines ?? [])].join(' '));
    notice.value = null;
  };
  return (
    <Dialog title={t('pasteTitle')} close={close}>
      <form onSubmit={submit}>
        <label for="pasted">{t('pasteAbout')}</label>
        <textarea
          id="pasted"
          rows={12}
          spellcheck={false}
          aria-describedby="paste-error"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p id="paste-error" class="problem" role="alert">
          {error}
        </p>
        <p class="buttons">
          <button type="submit" class="main" disabled={text.trim() === ''}>
            {t('open')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
