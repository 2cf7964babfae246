// A button that asks before it replaces what a person wrote.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { t } from '../words';

interface Properties {
  class?: string;
  /** The question; empty if nothing is replaced. */
  question: string;
  act: () => void;
  children: ComponentChildren;
}

export function AskFirst({ class: kind, question, act, children }: Properties) {
  const [isAsked, setAsked] = useState(false);
  const done = () => {
    setAsked(false);
    act();
  };
  if (!isAsked) {
    return (
      <button type="button" class={kind} onClick={() => (question === '' ? act() : setAsked(true))}>
        {children}
      </button>
    );
  }
  return (
    <span class="ask-first" role="group" aria-label={question}>
      <b>{question}</b>
      <button type="button" ref={(button) => button?.focus()} onClick={done}>
        {t('replace')}
      </button>
      <button type="button" onClick={() => setAsked(false)}>
        {t('cancel')}
      </button>
    </span>
  );
}
