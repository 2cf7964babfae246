// What happened last, with undo.

import { useEffect, useRef, useState } from 'preact/hooks';

import { focusAfter, lastVisited } from '../form/focus';
import { notice, undoLast } from '../state/undo';
import { Sentence } from './Sentence';
import { t } from '../words';

/** How long a notice without details stays, with a button and without, in milliseconds. Ctrl+Z undoes also after that. */
const SHOWN = { withUndo: 10_000, without: 5_000 };

/** The height of the bar below a notice on narrow screens, in pixels. */
const BAR = 88;

export function NoticeBar() {
  const shown = notice.value;
  const element = useRef<HTMLDivElement>(null);
  const [isAbove, setAbove] = useState(false);
  useEffect(() => {
    // When the focus is where it goes, it shows what the notice is about.
    const timer = setTimeout(() => setAbove(shown !== null && isBelow(element.current?.offsetHeight ?? 0)));
    return () => clearTimeout(timer);
  }, [shown]);
  useEffect(() => {
    if (shown === null || shown.lines.length > 0) return;
    const timer = setInterval(() => {
      if (!element.current?.matches(':hover, :focus-within')) notice.value = null;
    }, shown.hasUndo ? SHOWN.withUndo : SHOWN.without);
    return () => clearInterval(timer);
  }, [shown]);
  return (
    <div class={isAbove ? 'notices above' : 'notices'} ref={element}>
      <div role="status">
        {shown !== null && (
          <div class="notice">
            <div>
              <p>{shown.words}</p>
              {shown.lines.length > 0 && (
                <ul>
                  {shown.lines.map((it) => (
                    <li key={it}>
                      <Sentence text={it} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
            {shown.hasUndo && (
              <button
                type="button"
                class="link"
                onClick={() => {
                  undoLast();
                  focusAfter(`[id="${lastVisited.value}"]`, 'h1');
                }}
              >
                {t('undo')}
              </button>
            )}
            <button type="button" class="quiet" aria-label={t('close')} onClick={() => (notice.value = null)}>
              ✕
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

/** Whether what a person works on reaches into the lower end of the window, where a notice of this height would cover it. */
function isBelow(height: number): boolean {
  const place = document.activeElement?.closest('.field, .task, .score')?.getBoundingClientRect();
  return place !== undefined && place.top < innerHeight && place.bottom > innerHeight - height - BAR;
}
