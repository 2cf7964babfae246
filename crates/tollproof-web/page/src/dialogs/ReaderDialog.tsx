// The way to a reader: a message for an assistant and what it answered, or the same questions for a person.

import { useMemo, useState } from 'preact/hooks';

import { focusAfter } from '../form/focus';
import { CopyButton } from '../parts/CopyButton';
import { Dialog } from '../parts/Dialog';
import { Sentence } from '../parts/Sentence';
import { TextForm } from '../parts/TextForm';
import { messageFor, READ_AT_ONCE, takeAnswers, type Taken, toRead } from '../state/actions';
import { close } from '../state/dialogs';
import { drafts, view } from '../state/session';
import { say } from '../state/undo';
import { t } from '../words';
import { OwnAnswers } from './OwnAnswers';
import { useKept } from './useKept';
import { WhichDrafts } from './WhichDrafts';

export function ReaderDialog() {
  const [text, setText] = useKept('reader', '');
  const [taken, setTaken] = useState<Taken>({ problem: '', lines: [] });
  const [isOpen, setOpen] = useKept('own', false);
  const [isWhole, setWhole] = useState(drafts.value.length > 1 && view.value === 'sheet');
  const some = useMemo(() => toRead(isWhole), [isWhole]);
  const isAllRead = useMemo(() => messageFor(some) === '', [some]);
  const submit = () => {
    const found = takeAnswers(text, some);
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
    <Dialog title={t('readButton')} close={close}>
      <p>{t('readAbout')}</p>
      <WhichDrafts isWhole={isWhole} choose={setWhole} />
      {isWhole && drafts.value.length > READ_AT_ONCE && <p class="hint">{t('readSome', { n: READ_AT_ONCE })}</p>}
      <TextForm id="answers" label={t('readPaste')} button={t('readUse')} rows={4} text={text} write={setText} submit={submit} problem={problem}>
        {!isAllRead && (
          <>
            <p>{t('readCopy')}</p>
            <p>
              <CopyButton class={text.trim() === '' ? 'main' : undefined} words={t('copyQuestions')} text={() => messageFor(some)} name="" />
            </p>
          </>
        )}
      </TextForm>
      {!isWhole && (
        <details class="own-answers" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t('answerYourself')}</summary>
          <OwnAnswers leave={leave} />
        </details>
      )}
    </Dialog>
  );
}

function leave(): void {
  close();
  say(t('answersTaken'));
  focusAfter('#score', 'h1');
}
