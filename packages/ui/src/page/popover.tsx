import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface PopoverProps {
  readonly label: ComponentChildren;
  /** Said of the button, where its label alone tells too little. */
  readonly description?: string;
  readonly class?: string;
  /** Gets what closes it. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** Left to the edge of the window at least. */
const MARGIN = 8;

/** A button that opens a small panel below it. Escape, a click elsewhere and leaving it by the keyboard close it. */
export function Popover({ label, description, class: extra = '', children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();

  useLayoutEffect(() => {
    const element = panel.current;
    if (element === null) return;
    const stayInside = () => {
      element.style.left = '';
      const beyond = element.getBoundingClientRect().right + MARGIN - document.documentElement.clientWidth;
      if (beyond > 0) element.style.left = `${-beyond}px`;
    };
    stayInside();
    // What is in it may come later than it.
    const observer = new ResizeObserver(stayInside);
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const element = root.current;
    focusFirst(panel.current);
    const onOutside = (event: Event) => {
      if (event.target instanceof Node && !element?.contains(event.target)) setOpen(false);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    element?.addEventListener('keydown', onKeyDown);
    document.addEventListener('pointerdown', onOutside);
    document.addEventListener('focusin', onOutside);
    return () => {
      element?.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('pointerdown', onOutside);
      document.removeEventListener('focusin', onOutside);
    };
  }, [isOpen]);

  return (
    <div class={`popover ${extra}`} ref={root}>
      <button
        type="button"
        ref={button}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={description}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <div class="popover-panel" id={id} ref={panel}>
          {children(close)}
        </div>
      )}
    </div>
  );
}

/** For what comes into a panel later than the panel: its first control takes the focus then. */
export function useFirstFocus<Root extends HTMLElement>(): RefObject<Root | null> {
  const root = useRef<Root>(null);
  useEffect(() => focusFirst(root.current), []);
  return root;
}

function focusFirst(element: HTMLElement | null): void {
  element?.querySelector<HTMLElement>('input, select, button')?.focus();
}
