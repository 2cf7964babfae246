// What a website may ask a person to attach, as a list to tick off.

import { get } from '../draft/pointer';
import { tick } from '../state/actions';
import { current, fields } from '../state/session';
import { t } from '../words';

export function HaveReady() {
  const text = (role: string) => JSON.stringify(fields.value.filter((it) => it.role === role).map((it) => get(current.value.value, it.pointer) ?? ''));
  const howPeopleAgree = text('optInType');
  const items = [
    'readyPictures' as const,
    'readyPolicies' as const,
    ...(/verbal|voice|ivr/i.test(howPeopleAgree) ? ['readySpoken' as const] : []),
    ...(/paper/i.test(howPeopleAgree) ? ['readyPaper' as const] : []),
    ...(/\w/.test(text('registrationNumber')) ? ['readyRegistration' as const] : []),
  ];
  return (
    <section aria-labelledby="ready-title" class="ready">
      <h2 id="ready-title">{t('ready')}</h2>
      <p class="about">{t('readyAbout')}</p>
      <ul class="boxes">
        {items.map((it) => (
          <li key={it}>
            <label>
              <input type="checkbox" checked={current.value.ticked.includes(it)} onChange={(event) => tick(it, event.currentTarget.checked)} />
              <span>{t(it)}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}
