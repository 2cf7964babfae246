// What a field is for: the first sentences always, the rest and the example on demand.

import type { Field } from '../contract';
import { t } from '../words';

/** How much of a description is always shown, in characters. */
const SHORT = 170;

export function About({ id, field }: { id: string; field: Field }) {
  const [first, rest] = split(field.description);
  const isShort = field.example !== null && field.example.length < 50;
  return (
    <div class="about">
      <p id={id} lang="en">
        {first}
        {isShort && ` ${t('example')}: ${field.example}`}
      </p>
      {(rest !== '' || (field.example !== null && !isShort)) && (
        <details>
          <summary>{rest === '' ? t('example') : t('more')}</summary>
          {rest !== '' && <p lang="en">{rest}</p>}
          {field.example !== null && !isShort && (
            <p lang="en" class="example">
              {field.example}
            </p>
          )}
        </details>
      )}
    </div>
  );
}

/** Cuts after the last sentence that ends before the limit. */
function split(text: string): [string, string] {
  if (text.length <= SHORT) return [text, ''];
  const ends = [...text.matchAll(/[.!?] /g)].map((it) => it.index + 1);
  const end = ends.filter((it) => it <= SHORT).at(-1) ?? ends[0] ?? text.length;
  return [text.slice(0, end), text.slice(end).trim()];
}
