// The way to a reader: a message for an assistant and what it answered, or the same questions for a person.

import { useState } from 'preact/hooks';

import { focusAfter } from '../form/focus';
import { CopyButton } from '../parts/CopyButton';
import { Dialog } from '../parts/Dialog';
import { Sentence } from '../parts/Sentence';
import { TextForm } from '../parts/TextForm';
import { questionsForReader, takeAnswers, type Taken } from '../state/actions';
import { close } from '../state/dialogs';
import { say } from '../state/undo';
import { t } from '../words';
import { OwnAnswers } from './OwnAnswers';
import { useKept } from './useKept';

export function ReaderDialog() {
  const [text, setText] = useKept('reader', '');
  const [taken, setTaken] = useState<Taken>({ problem: '', lines: [] });
  const [isOpen, setOpen] = useKept('own', false);
  const submit = () => {
    const found = takeAnswers(text);
    setTaken(found);
    if (found.problem !== '') return;
    setText('');
    leave();
  };
  const problem = (
    <>
      {taken.problem}
      {taken.lines.length > 0 && (
        <ul>
          {taken.lines.map((line) => (
            <li key={line}>
              <Sentence text={line} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
  return (
    <Dialog title={t('readTitle')} close={close}>
      <p>{t('readAbout')}</p>
      <TextForm id="answers" label={t('readPaste')} button={t('readUse')} rows={4} text={text} write={setText} submit={submit} problem={problem}>
        <p>{t('readCopy')}</p>
        <p>
          <CopyButton class={text.trim() === '' ? 'main' : undefined} words={t('copyQuestions')} text={() => questionsForReader().message} name="" />
        </p>
      </TextForm>
      <details class="own-answers" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('answerYourself')}</summary>
        <OwnAnswers leave={leave} />
      </details>
    </Dialog>
  );
}

function leave(): void {
  close();
  say(t('answersTaken'));
  focusAfter('#score');
}
