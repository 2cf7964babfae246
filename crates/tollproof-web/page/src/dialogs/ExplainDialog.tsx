// What a provider's rejection means for the open draft.

import { useState } from 'preact/hooks';

import type { Finding } from 'tollproof';
import { focusField } from '../form/focus';
import { chooseProvider } from '../state/actions';
import { explainAnswer, explainByAssistant, OF_DRAFT, pasted, stateOf } from '../state/explaining';
import { fieldAt } from '../state/findings';
import { advice, allProviders, fields, isBegun, provider, providerTitle, view } from '../state/session';
import { AsChange } from '../parts/AsChange';
import { CopyButton } from '../parts/CopyButton';
import { Dialog } from '../parts/Dialog';
import { ProviderChoice } from '../parts/ProviderChoice';
import { ReasonState, settledReasons } from '../parts/ReasonState';
import { TextForm } from '../parts/TextForm';
import { Sentence } from '../parts/Sentence';
import { labelOf, t } from '../words';
import { close, pastedAnswer } from '../state/dialogs';

export function ExplainDialog() {
  const [text, setText] = useState(pastedAnswer.value || pasted.value.text);
  const [assistant, setAssistant] = useState(pasted.value.assistant);
  // Who comes back to the reasons sees them first.
  const [isKnown] = useState(pastedAnswer.value === '' && advice.value.length > 0);
  const [problem, setProblem] = useState({ text: '', assistant: '' });
  const tell = (box: 'text' | 'assistant', run: () => void) => {
    let told = '';
    try {
      run();
      if (advice.value.length === 0) told = t('explainNothing');
    } catch (error) {
      advice.value = [];
      told = error instanceof Error ? error.message : t('explainNothing');
    }
    setProblem({ text: '', assistant: '', [box]: told });
  };
  const submit = () => {
    const [named, ...others] = allProviders().filter((it) => text.includes(it.title));
    if (!isBegun.value && named !== undefined && others.length === 0) chooseProvider(named.name);
    setAssistant('');
    tell('text', () => explainAnswer(text));
  };
  return (
    <Dialog title={isBegun.value ? t('explainTitle', { provider: providerTitle(provider.value) }) : t('explainButton')} close={close}>
      {isKnown && <Reasons />}
      {!isBegun.value && <ProviderChoice id="explain-provider" value={provider.value} choose={chooseProvider} />}
      <TextForm id="answer" label={t('explainAbout')} button={t('explain')} rows={6} text={text} write={setText} submit={submit} problem={problem.text} />
      {!isBegun.value && <p class="hint">{t('explainEmpty')}</p>}
      {pasted.value.request !== null && (
        <div class="hint">
          <TextForm id="assistant" label={t('explainTake')} button={t('readUse')} rows={3} text={assistant} write={setAssistant} submit={() => tell('assistant', () => explainByAssistant(assistant))} problem={problem.assistant}>
            <p>{t('explainReader')}</p>
            <p>
              <CopyButton words={t('copyQuestions')} text={() => pasted.value.request ?? ''} name="" />
            </p>
          </TextForm>
        </div>
      )}
      {!isKnown && <Reasons />}
    </Dialog>
  );
}

function Reasons() {
  return (
    <>
      <AsChange />
      <p role="status">{settledReasons()}</p>
      <ul class="findings explained" aria-live="polite">
        {advice.value.map((it, at) => (
          <AdviceItem key={at} advice={it} />
        ))}
      </ul>
    </>
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
