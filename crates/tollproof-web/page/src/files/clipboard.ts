// Copies text. Browsers may refuse their clipboard to a file or a frame; a selection can be copied there too.

/** Returns whether the text is in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

/** Selects the text in a field that is not seen, copies it, and gives the focus back. */
function copySelection(text: string): boolean {
  const before = document.activeElement as HTMLElement | null;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'hidden';
  // Outside of an open dialog nothing can be selected.
  (before?.closest('dialog') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  before?.focus({ preventScroll: true });
  return isCopied;
}
