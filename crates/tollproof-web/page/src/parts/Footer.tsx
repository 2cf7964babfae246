// The end of the page: what it does with drafts.

import { t } from '../words';

export function Footer() {
  return (
    <footer class="bottom">
      <p>{t('privacy')}</p>
    </footer>
  );
}
