// The page of a rule, in place: why reviewers mind, what to write instead, and examples.

import type { Field } from 'tollproof';

import { fields as fieldsOf, rule as ruleOf, spoken } from '../engine';
import { isObject, type Json } from '../draft/pointer';
import { sentencesOf } from '../form/described';
import { Dialog } from '../parts/Dialog';
import { shownRule } from '../state/dialogs';
import { allProviders, fields, provider } from '../state/session';
import { labelOf, t } from '../words';

/** The provider whose field names are the names of roles. */
const NAMING = 'bird';

/** How many examples of each kind are shown at first. */
const SHOWN = 3;

export function RuleDialog() {
  if (shownRule.value === null) return null;
  const close = () => (shownRule.value = null);
  const rule = ruleOf(shownRule.value);
  if (rule === null) return <Dialog title={shownRule.value} close={close}><p>{t('noRule')}</p></Dialog>;
  const docs = readersOf(rule.docs);
  return (
    <Dialog title={rule.title} lang={spoken.value} close={close}>
      <Docs text={docs.people} />
      <Examples title={t('examplesFail')} kind="fail" examples={rule.fail as Json[]} />
      <Examples title={t('examplesPass')} kind="pass" examples={rule.pass as Json[]} />
      {docs.developers !== '' && (
        <details>
          <summary>{t('developer')}</summary>
          <Docs text={docs.developers} />
        </details>
      )}
      <footer>
        <code>{rule.id}</code>
        {rule.source.filter((it) => it.startsWith('https://')).map((it) => (
          <span key={it} class="source">
            {t('source')}{' '}
            <a href={it} target="_blank" rel="noopener noreferrer">
              {it}
            </a>
          </span>
        ))}
      </footer>
    </Dialog>
  );
}

/** The page of a rule: paragraphs, lists and blocks of code, with code in them. */
function Docs({ text }: { text: string }) {
  const coded = (part: string) => part.split('`').map((it, at) => (at % 2 === 0 ? it : <code key={at}>{it}</code>));
  return (
    <div class="docs" lang={spoken.value}>
      {text.split(/\n{2,}/).map((block, at) =>
        block.startsWith('- ') ? (
          <ul key={at}>
            {block.slice(2).split(/\n- /).map((it) => (
              <li key={it}>{coded(it)}</li>
            ))}
          </ul>
        ) : block.startsWith('    ') ? (
          <pre key={at}>{block.replace(/^ {4}/gm, '')}</pre>
        ) : (
          <p key={at}>{coded(block)}</p>
        ),
      )}
    </div>
  );
}

/** What programmers need to know. */
const TECHNICAL = /\bAPI\b|YAML|JSON|UUID|SDK|Terraform|`--|\bstrings?\b|\bnull\b|chaîne de caractères|\bpayload|[a-z][A-Z]/;

/** The sentences of a page for people who fill in a form of this provider, and the others. */
function readersOf(docs: string): { people: string; developers: string } {
  const others = allProviders().filter((it) => it.name !== provider.value).map((it) => it.title);
  const isTechnical = (text: string) => TECHNICAL.test(text) || others.some((it) => text.includes(it));
  const blocks = docs.split(/\n{2,}/).map((block) => {
    // Lists and code stay whole.
    const sentences = /^\s*([-*#|>`]|\d+\.|\s{4})/.test(block) ? [block] : sentencesOf(block.replace(/\s*\n\s*/g, ' '));
    return [false, true].map((wanted) => sentences.filter((it) => isTechnical(it) === wanted).join(' '));
  });
  const [people = '', developers = ''] = [0, 1].map((at) => blocks.flatMap((it) => it[at] || []).join('\n\n'));
  return people === '' ? { people: docs, developers: '' } : { people, developers };
}

function Examples({ title, kind, examples }: { title: string; kind: 'pass' | 'fail'; examples: Json[] }) {
  const shown = examples.filter((it) => isObject(it) && Object.entries(it).some(isShown));
  if (shown.length === 0) return null;
  const list = (of: Json[]) => (
    <ul class={`examples ${kind}`}>
      {of.map((it, at) => (
        <li key={at}>
          <Example example={it} />
        </li>
      ))}
    </ul>
  );
  return (
    <section>
      <h3>{title}</h3>
      {list(shown.slice(0, SHOWN))}
      {shown.length > SHOWN && (
        <details>
          <summary>{t('moreExamples', { n: shown.length - SHOWN })}</summary>
          {list(shown.slice(SHOWN))}
        </details>
      )}
    </section>
  );
}

function Example({ example }: { example: Json }) {
  if (!isObject(example)) return null;
  return (
    <dl lang="en">
      {Object.entries(example)
        .filter(isShown)
        .map(([role, value]) => (
          <div key={role}>
            <dt>{nameOf(role)}</dt>
            <dd>{value === '$absent' ? t('absent') : typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Keys with a dollar sign say how the example is completed, not what it contains. */
function isShown([key]: [string, Json]): boolean {
  return !key.startsWith('$');
}

function nameOf(role: string): string {
  const named = (it: Field) => it.role === role;
  const field = fields.value.find(named) ?? fieldsOf(NAMING).find(named);
  const plain = role.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  const title = plain.charAt(0).toUpperCase() + plain.slice(1);
  return field === undefined ? title : labelOf(field).text;
}
