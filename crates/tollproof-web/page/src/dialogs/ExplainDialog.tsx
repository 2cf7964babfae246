// What a provider's rejection means for the open draft.

import { useState } from 'preact/hooks';

import type { Finding } from 'tollproof';
import { focusAfter, focusField } from '../form/focus';
import { chooseProvider, doubtAnswers, openRow } from '../state/actions';
import { advice, explainAnswer, explainByAssistant, isDeadline, namedIn, OF_DRAFT, pasted, stateOf } from '../state/explaining';
import { fieldAt } from '../state/findings';
import { allProviders, current, drafts, fields, isBegun, nameOf, position, provider, providerTitle, view } from '../state/session';
import { AsChange } from '../parts/AsChange';
import { CopyButton } from '../parts/CopyButton';
import { Dialog } from '../parts/Dialog';
import { GuideButton } from '../parts/GuideButton';
import { ProviderChoice } from '../parts/ProviderChoice';
import { ReasonState, settledReasons } from '../parts/ReasonState';
import { TextForm } from '../parts/TextForm';
import { Sentence } from '../parts/Sentence';
import { labelOf, t } from '../words';
import { close, pastedAnswer } from '../state/dialogs';

export function ExplainDialog() {
  const [text, setText] = useState(pastedAnswer.value || pasted.value.text);
  const [assistant, setAssistant] = useState(pasted.value.assistant);
  const [problem, setProblem] = useState({ text: '', assistant: '' });
  // In the table, the draft that the answer is about, and whether a person has to choose it.
  const [row, setRow] = useState<number>();
  const [isRowAsked, askForRow] = useState(false);
  const tell = (box: 'text' | 'assistant', run: () => void) => {
    let told = '';
    try {
      run();
      if (advice.value.length === 0) told = t('explainNothing');
      else showReasons();
    } catch (error) {
      told = error instanceof Error ? error.message : t('explainNothing');
    }
    setProblem({ text: '', assistant: '', [box]: told });
  };
  const submit = () => {
    if (view.value === 'sheet') {
      const named = row ?? namedIn(text);
      if (named === undefined) {
        askForRow(true);
        return setProblem({ text: t('explainWhich'), assistant: '' });
      }
      openRow(named);
    }
    const [named, ...others] = allProviders().filter((it) => text.includes(it.title));
    if (!isBegun.value && named !== undefined && others.length === 0) chooseProvider(named.name);
    setAssistant('');
    tell('text', () => doubting(text !== pasted.value.text, () => explainAnswer(text)));
  };
  const isSheet = view.value === 'sheet' && drafts.value.length > 1;
  return (
    <Dialog title={isBegun.value ? t('explainTitle', { provider: providerTitle(provider.value) }) : t('explainButton')} close={close}>
      {!isSheet && advice.value.length > 0 && <Reasons />}
      {!isBegun.value && <ProviderChoice id="explain-provider" value={provider.value} choose={chooseProvider} />}
      {isSheet && isRowAsked && (
        <p>
          <label for="explain-row">{t('explainRow')}</label>
          <select id="explain-row" value={row ?? ''} onChange={({ currentTarget: { value } }) => setRow(value === '' ? undefined : Number(value))}>
            <option value="">{t('choose')}</option>
            {drafts.value.map((it, at) => (
              <option key={it.id} value={at}>
                {nameOf(it, at, fields.value)}
              </option>
            ))}
          </select>
        </p>
      )}
      <TextForm id="answer" label={t('explainAbout')} button={t('explain')} rows={6} text={text} write={setText} submit={submit} problem={problem.text} />
      {!isBegun.value && <p class="hint">{t('explainEmpty')}</p>}
      {!isSheet && pasted.value.request !== null && (
        <div class="hint">
          <TextForm id="assistant" label={t('explainTake')} button={t('readUse')} rows={3} text={assistant} write={setAssistant} submit={() => tell('assistant', () => doubting(assistant !== pasted.value.assistant, () => explainByAssistant(assistant)))} problem={problem.assistant}>
            <p>{t('explainReader')}</p>
            <p>
              <CopyButton words={t('copyQuestions')} text={() => pasted.value.request ?? ''} name="" />
            </p>
          </TextForm>
        </div>
      )}
    </Dialog>
  );
}

/** Explains an answer. What a person said before a new one is asked again where that refuses it. */
function doubting(isNew: boolean, explain: () => void): void {
  explain();
  if (isNew && isBegun.value) doubtAnswers(advice.value);
}

/** Leads to the reasons, which are above what is pasted. */
function showReasons(): void {
  focusAfter('#reasons');
  setTimeout(() => document.querySelector('dialog')?.scrollTo(0, 0));
}

function Reasons() {
  return (
    <div id="reasons" tabIndex={-1}>
      {drafts.value.length > 1 && <p>{t('explainOf', { name: nameOf(current.value, position.value, fields.value) })}</p>}
      <AsChange />
      <p role="status">{settledReasons()}</p>
      <ul class="findings explained" aria-live="polite">
        {advice.value.toSorted((one, other) => Number(isDeadline(other)) - Number(isDeadline(one))).map((it, at) => (
          <AdviceItem key={at} advice={it} />
        ))}
      </ul>
    </div>
  );
}

function AdviceItem({ advice }: { advice: Finding }) {
  const { severity, message, help, pointer } = advice;
  const field = fieldAt(fields.value, pointer);
  return (
    <li class={`finding ${severity} ${stateOf(advice)}`}>
      <p>
        <Sentence text={message} />
      </p>
      {help !== null && (
        <p class="help">
          <Sentence text={isBegun.value ? help : help.replace(OF_DRAFT, '')} />
        </p>
      )}
      {field?.role === 'optInWorkflowDescription' && isBegun.value && <GuideButton />}
      <ReasonState reason={advice} />
      {field !== undefined && isBegun.value && (
        <p class="actions">
          <button
            type="button"
            class="fix"
            onClick={() => {
              close();
              if (view.value === 'handover') view.value = 'form';
              // The dialog gives the focus back when it is gone.
              setTimeout(() => focusField(field.pointer));
            }}
          >
            {t('goTo', { name: labelOf(field).text })}
          </button>
        </p>
      )}
    </li>
  );
}
