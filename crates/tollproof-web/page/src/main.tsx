// Starts the engine, takes what an earlier visit left or shows an example, and shows the page.

import { effect } from '@preact/signals';
import { render } from 'preact';

import { App } from './App';
import { prepareRules, startEngine, useLanguage } from './engine';
import { drawAllGroups } from './form/Form';
import { checkAll } from './state/counting';
import { EXAMPLE, FIRST_PROVIDER } from './state/example';
import { explainAgain } from './state/explaining';
import { allProviders, checkAmong, current, drafts, fields, firstNamed, isFilled, language, newDraft, position, provider } from './state/session';
import { pause } from './state/slices';
import { keep, keptSessions, restore } from './state/storage';
import { measureTyping } from './state/timing';
import { undoByKey } from './state/undo';
import { t, wordsArrive } from './words';
import './styles/index.css';

const root = document.getElementById('page') as HTMLElement;
try {
  await startEngine();
  await pause();
  const first = allProviders().find((it) => it.name === FIRST_PROVIDER);
  provider.value = (first ?? allProviders()[0])?.name ?? '';
  restore();
  const isFirstVisit = !isFilled.value && keptSessions.value.length === 0;
  if (isFirstVisit && first !== undefined) drafts.value = [{ ...newDraft(), value: EXAMPLE, example: 'untouched' }];
  keep();
  checkAll();
  explainAgain();
  await wordsArrive(language.value);
  effect(() => void useLanguage(language.value));
  fields.peek();
  await pause();
  root.replaceChildren();
  render(<App />, root);
  performance.mark('form');
  measureTyping();
  undoByKey();
  await drawAllGroups();
  prepareRules(() => checkAmong(current.value, position.value, firstNamed.value));
} catch (error) {
  root.textContent = t('cannotStart');
  throw error;
}
