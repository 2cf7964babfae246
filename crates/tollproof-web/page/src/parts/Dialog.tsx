// A dialog of the browser, which keeps the focus inside and gives it back.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

import { t } from '../words';

interface Properties {
  title: string;
  lang?: string;
  close: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, lang, close, children }: Properties) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    element.current?.showModal();
    // The browser would begin at the button that closes it.
    element.current?.querySelector<HTMLElement>(':scope header ~ * :is(textarea, input, select, button)')?.focus();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      onClose={close}
      onClick={(event) => event.target === element.current && element.current?.close()}
    >
      <div class="dialog-content">
        <header>
          <h2 id={heading} lang={lang}>
            {title}
          </h2>
          <button type="button" class="quiet" aria-label={t('close')} onClick={() => element.current?.close()}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
