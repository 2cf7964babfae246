// The questions to a reader as a form, for who has no assistant.

import { useId, useMemo, useState } from 'preact/hooks';

import type { Field, Question } from 'tollproof';
import { choiceIn } from '../form/described';
import { textsOf } from '../draft/values';
import { askedOf, PERSON, takeAnswers, takeBack, type Taken } from '../state/actions';
import { current, fields, readings } from '../state/session';
import { labelOf, t } from '../words';
import { useKept } from './useKept';

interface OwnAnswer {
  answer: string[];
  quote: string;
}

/** A field with its texts. */
interface QuotedField {
  role: string;
  field: Field;
  label: ReturnType<typeof labelOf>;
  texts: string[];
  /** Whether no group before has it. */
  isNew: boolean;
}

export function OwnAnswers({ leave }: { leave: () => void }) {
  const { id: request, all, given } = useMemo(() => askedOf(current.value), [readings.value]);
  // What a person has changed, before it is used.
  const [changes, setChanges] = useKept<Record<string, OwnAnswer>>('answers', {});
  const [problem, setProblem] = useState('');
  const [used, setUsed] = useState('');
  const groups = useMemo(() => byRoles(all), [all]);
  const answerTo = (id: string): OwnAnswer => {
    const { answer = [], quote = '' } = given.get(id) ?? {};
    return changes[id] ?? { answer: [answer].flat(), quote };
  };
  const isUnquoted = ({ id, answers: offered }: Question) => {
    const { answer, quote } = answerTo(id);
    return changes[id] !== undefined && quote === '' && offered.some((it) => it.needsQuote && answer.includes(it.value));
  };
  const done = all.filter(({ id }) => answerTo(id).answer.length > 0).length;
  const submit = (event: Event) => {
    event.preventDefault();
    if (done + given.size === 0) return setProblem(t('answerOne'));
    const unquoted = all.find(isUnquoted);
    if (unquoted !== undefined) return setProblem(t('quoteMissing', { question: unquoted.ask }));
    for (const [id, it] of given) if (changes[id]?.answer.length === 0) takeBack(id, it);
    const sure = Object.entries(changes).flatMap(([id, it]) => (it.answer.length > 0 ? [[id, { ...it, sure: true }]] : []));
    const { problem, lines, isOpen } = sure.length === 0 ? NOTHING : takeAnswers(JSON.stringify({ id: request, reader: PERSON, answers: Object.fromEntries(sure) }));
    if (problem !== '' && !isOpen) return setProblem([problem, ...lines].join(' '));
    setChanges({});
    setProblem('');
    if (done === all.length) leave();
    else setUsed(t('usedOf', { done, all: all.length, n: all.length - done }));
  };
  return (
    <form onSubmit={submit}>
      <p>{t('answerYourselfAbout')}</p>
      {groups.map(({ quoted, questions, isShown }) => (
        <section key={questions[0]?.id}>
          <details open={isShown}>
            <summary>{quoted.map((it) => it.label.text).join(', ')}</summary>
            {quoted.filter((it) => it.isNew || !isShown).map(({ role, field, label, texts }) => (
              <blockquote key={role}>
                <b lang={label.lang}>{label.text}</b>
                {texts.map((text) => (
                  <p key={text}>{choiceIn(field, text).title}</p>
                ))}
              </blockquote>
            ))}
          </details>
          {questions.map((question) => (
            <OneQuestion
              key={question.id}
              question={question}
              texts={quoted.flatMap((it) => it.texts)}
              given={answerTo(question.id)}
              give={(given) => {
                setChanges({ ...changes, [question.id]: given });
                setUsed('');
              }}
            />
          ))}
        </section>
      ))}
      <div class="sticky-foot">
        <p class="problem" role="alert">
          {problem}
        </p>
        <p class="buttons">
          <button type="submit" class={done > 0 ? 'main' : undefined}>
            {t('useOwnAnswers')}
          </button>
          <span role="status">{used || t('answeredOf', { done, all: all.length })}</span>
        </p>
      </div>
    </form>
  );
}

/** All is used. */
const NOTHING: Taken = { problem: '', lines: [] };

interface Properties {
  question: Question;
  texts: string[];
  given: OwnAnswer;
  give: (answer: OwnAnswer) => void;
}

function OneQuestion({ question: { ask, answers, several }, texts, given, give }: Properties) {
  const name = useId();
  const needsQuote = answers.some((it) => it.needsQuote && given.answer.includes(it.value));
  const sentences = useMemo(() => texts.flatMap(sentencesIn), []);
  const choose = (value: string, isChosen: boolean) => {
    const others = several ? given.answer.filter((it) => it !== value) : [];
    give({ answer: isChosen ? [...others, value] : others, quote: sentences.length === 1 ? (sentences[0] ?? '') : given.quote });
  };
  return (
    <fieldset class="task">
      <legend>{ask}</legend>
      <div class="answers">
        {answers.map(({ value, words }) => (
          <label key={value}>
            <input type={several ? 'checkbox' : 'radio'} name={name} checked={given.answer.includes(value)} onChange={(event) => choose(value, event.currentTarget.checked)} />
            <span>{several && value !== answers.at(-1)?.value ? t('labelled', { label: t('missing'), text: words }) : words.charAt(0).toLocaleUpperCase() + words.slice(1)}</span>
          </label>
        ))}
        {!several && given.answer.length > 0 && (
          <button type="button" class="link" onClick={() => give({ answer: [], quote: '' })}>
            {t('noAnswer')}
          </button>
        )}
      </div>
      {needsQuote && (
        <p class="quote">
          <label for={`${name}-quote`}>{t('whichWords')}</label>
          <select id={`${name}-quote`} value={given.quote} onChange={(event) => give({ ...given, quote: event.currentTarget.value })}>
            <option value="">{t('choose')}</option>
            {sentences.map((it) => (
              <option key={it} value={it}>
                {it}
              </option>
            ))}
          </select>
        </p>
      )}
    </fieldset>
  );
}

/** Questions about the same fields, in groups; the texts are shown where a field is first asked about. */
function byRoles(questions: Question[]): { quoted: QuotedField[]; questions: Question[]; isShown: boolean }[] {
  const groups = new Map<string, Question[]>();
  for (const question of questions) {
    const key = question.roles.join(' ');
    groups.set(key, [...(groups.get(key) ?? []), question]);
  }
  const shown = new Set<string>();
  return [...groups].map(([key, asked]) => {
    const quoted = key.split(' ').flatMap((role) => {
      const field = fields.value.find((it) => it.role === role);
      const texts = textsOf(current.value.value, fields.value, role).filter((it) => it !== '');
      return field === undefined || texts.length === 0 ? [] : [{ role, field, label: labelOf(field), texts, isNew: !shown.has(role) }];
    });
    for (const { role } of quoted) shown.add(role);
    return { quoted, questions: asked, isShown: quoted.some((it) => it.isNew) };
  });
}

/** The sentences of a text, as quotes. */
function sentencesIn(text: string): string[] {
  return text.split(/(?<=[.!?]["”»]?)\s+|\n+/).filter((it) => /[\p{L}\d]{2}/u.test(it));
}
