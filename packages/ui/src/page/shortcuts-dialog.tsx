import { Dialog } from './dialog.js';

const SHORTCUTS: readonly (readonly [string, string])[] = [
  ['↓  ↑', 'To the largest child, to the parent; the other way round when upside down'],
  ['→  ←', 'To the next, to the previous sibling'],
  ['Home  End', 'To the first, to the last sibling'],
  ['Enter, click', 'Zoom to the frame'],
  ['Escape', 'Back to the zoom before'],
  ['0', 'Show everything'],
  ['+  −, Shift + wheel', 'Zoom in and out'],
  ['Shift + ←  →, drag', 'Pan'],
  ['/, Ctrl + F', 'Search'],
  ['n  N', 'Next, previous match'],
  ['i', 'Turn the graph over: root on top, root at the bottom'],
  ['4', 'Callers and callees of the function; Escape returns'],
  ['6', 'Compare with another time or other labels, and back'],
  ['f', 'Show only what is in and below the function'],
  ['m', 'Merge the function into its callers'],
  ['d', 'Drop all stacks that hold the function'],
  ['c', 'Collapse what the function calls'],
  ['r', 'Collapse its direct recursion'],
  ['Menu, Shift + F10', 'All that can be done with the frame'],
  ['t', 'Take the table away, and bring it back'],
  ['y', 'Copy a link to what is shown'],
  ['Ctrl + C', 'Copy the full name of the function'],
  ['?', 'This list'],
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <p>They work while the flame graph has the focus, and nowhere else.</p>
      <dl class="shortcuts">
        {SHORTCUTS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
