// A sentence of the engine.

import { spoken } from '../engine';
import { shownRule } from '../state/dialogs';
import { fields } from '../state/session';
import { type Phrase, phrases } from './phrases';

export function Sentence({ text, hasLinks = false }: { text: string; hasLinks?: boolean }) {
  return (
    <span lang={spoken.value}>
      {phrases(text, fields.value).map((it, at) => (
        <Part key={at} phrase={it} hasLinks={hasLinks} />
      ))}
    </span>
  );
}

function Part({ phrase, hasLinks }: { phrase: Phrase; hasLinks: boolean }) {
  if (hasLinks && phrase.is === 'value' && /^https?:\/\/\S+$/.test(phrase.text)) {
    return (
      <a href={phrase.text} target="_blank" rel="noopener noreferrer">
        {phrase.text}
      </a>
    );
  }
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
