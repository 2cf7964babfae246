// A sentence of the engine.

import { spoken } from '../engine';
import { shownRule } from '../state/dialogs';
import { fields } from '../state/session';
import { type Phrase, phrases } from './phrases';

export function Sentence({ text }: { text: string }) {
  return (
    <span lang={spoken.value}>
      {phrases(text, fields.value).map((it, at) => (
        <Part key={at} phrase={it} />
      ))}
    </span>
  );
}

function Part({ phrase }: { phrase: Phrase }) {
  if (phrase.is === 'value') return <code>{phrase.text}</code>;
  if (phrase.is === 'rule') {
    return (
      <button type="button" class="link" aria-haspopup="dialog" onClick={() => (shownRule.value = phrase.named)}>
        {phrase.text}
      </button>
    );
  }
  if (phrase.is === 'field') {
    return (
      <b class="named" lang={spoken.value} title={phrase.named.name}>
        {phrase.text}
      </b>
    );
  }
  return <>{phrase.text}</>;
}
