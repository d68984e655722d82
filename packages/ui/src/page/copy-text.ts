/** Puts a text on the clipboard. Pages that were not loaded safely have no clipboard; there the old way is tried. Tells whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not allowed, or not there at all over plain HTTP from another machine.
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    // Beside what has the focus: in a modal dialog nothing outside it can be marked.
    const home = document.activeElement?.parentElement ?? document.body;
    home.append(area);
    area.select();
    const worked = document.execCommand('copy');
    area.remove();
    return worked;
  }
}
