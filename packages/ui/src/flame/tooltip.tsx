import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FlameStore } from './flame-data.js';
import { shownName } from './flame-text.js';

interface TooltipProps {
  readonly store: FlameStore;
  /** What is said of a frame below its name. */
  readonly tell: (node: number, zoomed: number) => ComponentChild;
  readonly pointer: ReadonlySignal<{ x: number; y: number } | undefined>;
}

const GAP = 14;
const MARGIN = 8;

/**
 * What lies under the pointer. It moves along with the pointer and can therefore not be pointed at itself; the line below the graph says the same of the
 * selected frame and stays. Escape puts it away until the pointer is over another frame.
 */
export function Tooltip({ store, tell, pointer }: TooltipProps) {
  const box = useRef<HTMLDivElement>(null);
  const [dismissed, setDismissed] = useState(-1);
  const node = store.flame.hovered.value;
  const at = pointer.value;
  const profile = store.profile.data.value;
  const isShown =
    profile !== undefined && at !== undefined && node !== -1 && node !== dismissed && node < profile.tree.length;

  useEffect(() => {
    if (!isShown) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDismissed(node);
    };
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, [isShown, node]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || at === undefined) return;
    const { offsetWidth, offsetHeight } = element;
    const fitsBelow = at.y + GAP + offsetHeight + MARGIN <= innerHeight;
    const left = Math.min(at.x + GAP, innerWidth - offsetWidth - MARGIN);
    element.style.left = `${Math.max(left, MARGIN)}px`;
    element.style.top = `${Math.max(fitsBelow ? at.y + GAP : at.y - GAP - offsetHeight, MARGIN)}px`;
  });

  if (!isShown) return null;
  return (
    <div class="tooltip" role="tooltip" ref={box}>
      <div class="tooltip-name">{shownName(profile.tree.names[profile.tree.name[node] as number] as string)}</div>
      {tell(node, store.flame.zoomed)}
    </div>
  );
}
