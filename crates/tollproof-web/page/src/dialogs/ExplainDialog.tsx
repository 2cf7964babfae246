// What a provider's rejection means for the open draft.

import { useState } from 'preact/hooks';

import type { Finding } from 'tollproof';
import { focusField } from '../form/focus';
import { chooseProvider, explainAnswer, OF_DRAFT } from '../state/actions';
import { fieldAt } from '../state/findings';
import { advice, allProviders, fields, isBegun, provider, providerTitle, view } from '../state/session';
import { AsChange } from '../parts/AsChange';
import { CopyButton } from '../parts/CopyButton';
import { Dialog } from '../parts/Dialog';
import { ProviderChoice } from '../parts/ProviderChoice';
import { TextForm } from '../parts/TextForm';
import { Sentence } from '../parts/Sentence';
import { labelOf, t } from '../words';
import { close, pastedAnswer } from '../state/dialogs';

export function ExplainDialog() {
  const [text, setText] = useState(pastedAnswer.value);
  const [error, setError] = useState('');
  const [request, setRequest] = useState<string | null>(null);
  const submit = () => {
    setError('');
    const [named, ...others] = allProviders().filter((it) => text.includes(it.title));
    if (!isBegun.value && named !== undefined && others.length === 0) chooseProvider(named.name);
    try {
      setRequest(explainAnswer(text));
      if (advice.value.length === 0) setError(t('explainNothing'));
    } catch (problem) {
      advice.value = [];
      setRequest(null);
      setError(problem instanceof Error ? problem.message : t('explainNothing'));
    }
  };
  return (
    <Dialog title={isBegun.value ? t('explainTitle', { provider: providerTitle(provider.value) }) : t('explainButton')} close={close}>
      {!isBegun.value && <ProviderChoice id="explain-provider" value={provider.value} choose={chooseProvider} />}
      <TextForm id="answer" label={t('explainAbout')} button={t('explain')} rows={6} text={text} write={setText} submit={submit} problem={error} />
      {!isBegun.value && <p class="hint">{t('explainEmpty')}</p>}
      {request !== null && (
        <div class="hint">
          <p>{t('explainReader')}</p>
          <CopyButton words={t('copyQuestions')} text={() => request} name="" />
        </div>
      )}
      <AsChange />
      <ul class="findings explained" aria-live="polite">
        {advice.value.map((it, at) => (
          <AdviceItem key={at} advice={it} />
        ))}
      </ul>
    </Dialog>
  );
}

function AdviceItem({ advice: { severity, message, help, pointer } }: { advice: Finding }) {
  const field = fieldAt(fields.value, pointer);
  return (
    <li class={`finding ${severity}`}>
      <p>
        <Sentence text={message} />
      </p>
      {help !== null && (
        <p class="help">
          <Sentence text={isBegun.value ? help : help.replace(OF_DRAFT, '')} />
        </p>
      )}
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
