// Starts the engine, takes what an earlier visit left, and shows the page.

import { render } from 'preact';

import { App } from './App';
import { startEngine } from './engine';
import { checkAll } from './state/counting';
import { allProviders, provider } from './state/session';
import { keep, restore } from './state/storage';
import { measureTyping } from './state/timing';
import './styles/index.css';

/** The provider of a first visit. */
const FIRST = 'twilio';

const root = document.getElementById('page') as HTMLElement;
try {
  await startEngine();
  provider.value = (allProviders().find((it) => it.name === FIRST) ?? allProviders()[0])?.name ?? '';
  restore();
  keep();
  checkAll();
  root.replaceChildren();
  render(<App />, root);
  measureTyping();
} catch (error) {
  root.textContent = 'The page could not start. Open it in a current version of Firefox, Chrome, Edge or Safari.';
  throw error;
}
