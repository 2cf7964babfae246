// A payload pasted as text.

import { useState } from 'preact/hooks';

import { focusAfter } from '../form/focus';
import { openText } from '../state/opening';
import { notice } from '../state/undo';
import { Dialog } from '../parts/Dialog';
import { TextForm } from '../parts/TextForm';
import { t } from '../words';
import { close, opened } from '../state/dialogs';

export function PasteDialog() {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const submit = async () => {
    if (await openText(text)) {
      // What was pasted may have opened another dialog.
      if (opened.value !== 'paste') return;
      close();
      focusAfter('h1');
      return;
    }
    setProblem([notice.value?.words, ...(notice.value?.lines ?? [])].join(' '));
    notice.value = null;
  };
  return (
    <Dialog title={t('pasteTitle')} close={close}>
      <TextForm id="pasted" label={t('pasteAbout')} button={t('open')} rows={12} text={text} write={setText} submit={submit} problem={problem} />
    </Dialog>
  );
}
