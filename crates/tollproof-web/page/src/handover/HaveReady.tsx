// What a website may ask a person to attach, as a list to tick off.

import { tick } from '../state/actions';
import { current, fields } from '../state/session';
import { t } from '../words';
import { toHaveReady } from './ready';

export function HaveReady() {
  const items = toHaveReady(current.value, fields.value);
  return (
    <section aria-labelledby="ready-title" class="ready">
      <h2 id="ready-title">{t('ready')}</h2>
      <p class="about">{t('readyAbout')}</p>
      <ul class="boxes">
        {items.map(({ id, text }) => (
          <li key={id}>
            <label>
              <input type="checkbox" checked={current.value.ticked.includes(id)} onChange={(event) => tick(id, event.currentTarget.checked)} />
              <span>{text}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}
