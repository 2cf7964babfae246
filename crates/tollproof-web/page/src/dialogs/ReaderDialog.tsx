// The way to a reader: what to give to an assistant, and what it answered.

import { useState } from 'preact/hooks';

import { focusAfter } from '../form/focus';
import { CopyButton } from '../parts/CopyButton';
import { Dialog } from '../parts/Dialog';
import { questionsForReader, takeAnswers } from '../state/actions';
import { close } from '../state/dialogs';
import { say } from '../state/undo';
import { t } from '../words';

export function ReaderDialog() {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const found = takeAnswers(text);
    setProblem(found);
    if (found !== '') return;
    close();
    say(t('answersTaken'));
    focusAfter('#score');
  };
  return (
    <Dialog title={t('readTitle')} close={close}>
      <form class="steps" onSubmit={submit}>
        <p>{t('readAbout')}</p>
        <p>{t('readCopy')}</p>
        <p>
          <CopyButton class="main" words={t('copyQuestions')} text={questionsForReader} name="" />
        </p>
        <label for="answers">{t('readPaste')}</label>
        <textarea id="answers" rows={6} spellcheck={false} aria-describedby="answers-problem" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        <p id="answers-problem" class="problem" role="alert">
          {problem}
        </p>
        <p class="buttons">
          <button type="submit" class="main" disabled={text.trim() === ''}>
            {t('readUse')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
