// The findings of a field, beside it.

import type { Finding } from 'tollproof';
import { spoken } from '../engine';
import { stateOf } from '../state/explaining';
import { addWords, applyFix, ASSISTANT, openRow, PERSON, typeDrafts } from '../state/actions';
import { fields, isNumberForIdentifier, isRow, provider, providerTitle, rowName, settled } from '../state/session';
import { opened, shownRule } from '../state/dialogs';
import { ReasonState } from '../parts/ReasonState';
import { Sentence } from '../parts/Sentence';
import { labelOf, t } from '../words';
import { fieldAt, nameAt } from '../state/findings';
import { addedWords } from './addedWords';
import { fixWords } from './fixWords';
import { focusAfter, focusField, idOf } from './focus';

/** The rule of reasons that no rule checks, whose page says no more. */
const UNFORESEEN = 'answer/unforeseen';

/** A command in a help: about numbers, what is beside the field says where to find them. */
const COMMAND = '`tollproof number ';

interface Properties {
  /** How the ids of the messages begin, which describe the control of a field. */
  id?: string;
  findings: readonly Finding[];
  /** What the provider answered about the field. */
  advice?: readonly Finding[];
}

export function FindingList({ id, findings, advice = [] }: Properties) {
  const said = advice.map((it) => unrepeated(it, findings));
  const answers = said.filter(({ message, help }, at) => at === said.findIndex((it) => it.message === message && it.help === help));
  const idAt = (at: number) => (id === undefined ? undefined : `${id}-${at}`);
  return (
    <ul class="findings">
      {answers.map((it, at) => (
        <FindingItem key={`answer ${it.fingerprint} ${it.message}`} id={idAt(at)} finding={it} isAnswer />
      ))}
      {findings.map((it, at) => (
        <FindingItem key={`${it.fingerprint} ${it.message}`} id={idAt(answers.length + at)} finding={it} />
      ))}
    </ul>
  );
}

/** An answer without what a finding beside it says as well. */
function unrepeated(answer: Finding, findings: readonly Finding[]): Finding {
  const help = answer.help ?? '';
  // A sentence that follows a colon begins with a small letter.
  const repeated = findings.map(({ message }) => help.indexOf(message.slice(1))).filter((at) => at > 0);
  if (repeated.length === 0) return answer;
  const rest = help.slice(0, Math.min(...repeated)).replace(/[^.]*$/, '').trim();
  return { ...answer, help: rest || null, rule: '', fix: null, range: null, related: [] };
}

function FindingItem({ id, finding, isAnswer = false }: { id: string | undefined; finding: Finding; isAnswer?: boolean }) {
  const { severity, fix } = finding;
  const row = fieldAt(fields.value, finding.pointer);
  const after = () => focusAfter(`[id="${idOf(row?.pointer ?? finding.pointer)}-row"]`, 'h1');
  const { old, words } = fix === null ? { old: '', words: '' } : fixWords(fix, settled.value.value, fields.value);
  const fixIt = () => {
    applyFix(finding, words);
    after();
  };
  const added = addedWords(finding);
  const typeIt = () => {
    typeDrafts(row?.pointer);
    after();
  };
  return (
    <li class={`finding ${isAnswer ? `advice ${stateOf(finding)}` : severity}`}>
      <p id={id}>
        <b class="severity">{t(isAnswer ? 'answer' : severity)}</b> <Sentence text={finding.message} />
      </p>
      {finding.help !== null && !finding.help.includes(COMMAND) && (
        <p class="help">
          <Sentence text={finding.help} />
        </p>
      )}
      {isAnswer && <ReasonState reason={finding} />}
      {finding.readBy !== undefined && <p class="help">{t('readBy', { reader: readerOf(finding.readBy) })}</p>}
      {finding.related.filter((related) => related.file === null || isRow(related.file)).map((related) => (
        <p class="help" key={related.pointer + related.message + related.quote}>
          <Sentence text={related.quote === null ? related.message : `${related.message}: \`${related.quote}\``} />{' '}
          {related.file === null && (
            <button type="button" class="link" onClick={() => focusField(related.pointer)}>
              {nameOf(related.pointer)}
            </button>
          )}
          {related.file !== null && (
            <button type="button" class="link" onClick={() => openRow(Number(related.file))}>
              {t('otherRow', rowName(related.file))}
            </button>
          )}
        </p>
      ))}
      {finding.rule !== '' && (
        <p class="actions">
          {old !== '' && <del>{old}</del>}
          {fix !== null && (
            <button type="button" class="fix" onClick={fixIt}>
              {words}
            </button>
          )}
          {added !== null && (
            <button
              type="button"
              class="fix"
              onClick={() => {
                addWords(added);
                after();
              }}
            >
              {added.words}
            </button>
          )}
          {isNumberForIdentifier(finding, settled.value.value) && (
            <button type="button" class="fix" onClick={typeIt}>
              {t('typedThere', { provider: providerTitle(provider.value) })}
            </button>
          )}
          {finding.range !== null && (
            <button type="button" class="link" onClick={() => focusField(finding.pointer, finding.range)}>
              {t('showWords')}
            </button>
          )}
          {finding.help?.includes('`tollproof read`') && (
            <button type="button" class="link" aria-haspopup="dialog" onClick={() => (opened.value = 'reader')}>
              {t('readButton')}
            </button>
          )}
          {finding.rule !== UNFORESEEN && <WhyButton rule={finding.rule} title={finding.title} />}
        </p>
      )}
    </li>
  );
}

function WhyButton({ rule, title }: { rule: string; title: string }) {
  return (
    <button type="button" class="link" aria-haspopup="dialog" onClick={() => (shownRule.value = rule)}>
      {t('why')}
      <span class="hidden" lang={spoken.value}>
        : {title}
      </span>
    </button>
  );
}

/** The name of a reader for people. */
function readerOf(name: string): string {
  return name === PERSON ? t('aPerson') : name === ASSISTANT ? t('anAssistant') : name;
}

function nameOf(pointer: string): string {
  const field = fieldAt(fields.value, pointer);
  return field === undefined ? nameAt(pointer) : labelOf(field).text;
}
