// The whole page.

import { useEffect } from 'preact/hooks';

import { AskDialog } from './dialogs/AskDialog';
import { ClearDialog } from './dialogs/ClearDialog';
import { ColumnsDialog } from './dialogs/ColumnsDialog';
import { ExplainDialog } from './dialogs/ExplainDialog';
import { opened } from './state/dialogs';
import { GuideDialog } from './dialogs/GuideDialog';
import { PasteDialog } from './dialogs/PasteDialog';
import { ReaderDialog } from './dialogs/ReaderDialog';
import { RuleDialog } from './dialogs/RuleDialog';
import { SaveDialog } from './dialogs/SaveDialog';
import { Form } from './form/Form';
import { HandOver } from './handover/HandOver';
import { Contents } from './parts/Contents';
import { Drop } from './parts/Drop';
import { Footer } from './parts/Footer';
import { Header } from './parts/Header';
import { Keeping } from './parts/Keeping';
import { Live } from './parts/Live';
import { NoticeBar } from './parts/NoticeBar';
import { PrintHead } from './parts/PrintHead';
import { MainStep, Score, verdict } from './parts/Score';
import { Tasks } from './tasks/Tasks';
import { Start } from './parts/Start';
import { Sheet } from './sheet/Sheet';
import { drafts, isBegun, isFilled, view } from './state/session';
import { language, t } from './words';

export function App() {
  useEffect(() => {
    document.documentElement.lang = language.value;
    document.title = t('pageTitle');
  }, [language.value]);
  const isSheet = view.value === 'sheet' && drafts.value.length > 1;
  return (
    <>
      <a class="skip" href={view.value === 'form' ? '#draft' : '#main'}>
        {t('skip')}
      </a>
      {view.value === 'form' && isBegun.value && (
        <a class="skip" href="#left">
          {t('left')}
        </a>
      )}
      <Header />
      <PrintHead />
      {isSheet ? (
        <main id="main" class="wide">
          <Sheet />
          <Keeping />
        </main>
      ) : view.value === 'handover' ? (
        <main id="main" class="wide">
          <HandOver />
        </main>
      ) : (
        <main id="main">
          <Start />
          <div class="body">
            <Form />
            <Tasks />
          </div>
          <aside id="left" tabIndex={-1} aria-label={t('left')}>
            {isFilled.value && <Score />}
            <Contents />
            <Keeping />
            {isFilled.value && <StatusBar />}
          </aside>
        </main>
      )}
      <Footer />
      <NoticeBar />
      <Live />
      <Drop />
      <OpenDialog />
      <RuleDialog />
    </>
  );
}

/** The score on narrow screens, where the column with it is far above. */
function StatusBar() {
  return (
    <div class="status-bar">
      <span>{verdict()}</span>
      <MainStep />
    </div>
  );
}

function OpenDialog() {
  switch (opened.value) {
    case 'paste':
      return <PasteDialog />;
    case 'explain':
      return <ExplainDialog />;
    case 'save':
      return <SaveDialog />;
    case 'ask':
      return <AskDialog />;
    case 'clear':
      return <ClearDialog />;
    case 'columns':
      return <ColumnsDialog />;
    case 'guide':
      return <GuideDialog />;
    case 'reader':
      return <ReaderDialog />;
    default:
      return null;
  }
}
