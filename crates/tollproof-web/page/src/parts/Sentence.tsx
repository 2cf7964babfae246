// A sentence of the engine. What it names by the words of a payload or of the command line is named as on the page.

import { rule, spoken } from '../engine';
import { keys } from '../draft/pointer';
import { shownRule } from '../state/dialogs';
import { fields, kindName } from '../state/session';
import { labelOf, t } from '../words';

export function Sentence({ text }: { text: string }) {
  const parts = (text.charAt(0).toUpperCase() + text.slice(1)).split('`');
  return (
    <span lang={spoken.value}>
      {parts.map((part, at) => (at % 2 === 1 && at < parts.length - 1 ? <Code key={at} text={part} /> : part))}
    </span>
  );
}

/** What is in backticks: a field, a rule, a value. */
function Code({ text }: { text: string }) {
  const field = fields.value.find((it) => it.name === text || keys(it.pointer).join('.') === text);
  if (field !== undefined) {
    const label = labelOf(field);
    return (
      <b class="named" lang={label.lang} title={text}>
        {label.text}
      </b>
    );
  }
  // The page shows the values of a list at its field.
  if (text.startsWith('tollproof schema ')) return <>{t('listOfField')}</>;
  const named = text.replace(/^tollproof rule /, '');
  const title = /^[a-z-]+\/[a-z0-9-]+$/.test(named) ? rule(named)?.title : undefined;
  if (title !== undefined) {
    return (
      <button type="button" class="link" aria-haspopup="dialog" onClick={() => (shownRule.value = named)}>
        {title}
      </button>
    );
  }
  const kind = /^--kind (\S+)$/.exec(text)?.[1];
  return <code>{kind === undefined ? text : t('labelled', { label: t('kind'), text: t(kindName(kind)) })}</code>;
}
