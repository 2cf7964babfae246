// A button that copies a text and says so.

import { useEffect, useState } from 'preact/hooks';

import { copyText } from '../files/clipboard';
import { announcement } from '../state/dialogs';
import { say } from '../state/undo';
import { t } from '../words';

/** How long the button says that the text is copied, in milliseconds. */
const SHOWN = 2_000;

interface Properties {
  text: () => string;
  /** What the text is, for those who do not see the place of the button. */
  name: string;
  lang?: string;
  class?: string;
  /** The words on the button. */
  words?: string;
  /** Called when the text was copied. */
  copied?: () => void;
}

export function CopyButton({ text, name, lang, class: kind, words = t('copy'), copied }: Properties) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => {
      setDone(false);
      announcement.value = '';
    }, SHOWN);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = async () => {
    if (!(await copyText(text()))) return say(t('notCopiedText'));
    setDone(true);
    copied?.();
    announcement.value = t('copiedName', { name: name || words });
  };
  return (
    <button type="button" class={kind} onClick={copy}>
      {isDone ? t('copiedNow') : words} <span class="hidden" lang={lang}>{name}</span>
    </button>
  );
}
