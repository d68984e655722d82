import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { TransformKind } from '../view/view-state.js';
import type { FlameData, FlameStore } from './flame-data.js';
import type { FlameKeyActions } from './flame-keys.js';
import { shownName } from './flame-text.js';

interface FlameMenuProps {
  readonly store: FlameStore;
  readonly profile: FlameData;
  readonly node: number;
  readonly at: { readonly x: number; readonly y: number };
  readonly actions: FlameKeyActions;
  readonly onClose: () => void;
}

interface MenuItem {
  readonly text: string;
  readonly key: string;
  readonly run: () => void;
}

const MARGIN = 8;

const TRANSFORM_TEXTS: readonly (readonly [TransformKind, string, string])[] = [
  ['focus', 'f', 'Show only this function'],
  ['merge', 'm', 'Take it out, its time to its callers'],
  ['drop', 'd', 'Take it out with its time'],
  ['collapse', 'c', 'Hide what it calls'],
  ['recursion', 'r', 'Its direct recursion as one'],
];

/** What can be done with a frame. The keys beside the words do the same without the menu. */
export function FlameMenu({ store, profile, node, at, actions, onClose }: FlameMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const name = profile.tree.names[profile.tree.name[node] as number] as string;
  const isRoot = node === 0;

  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    const { offsetWidth, offsetHeight } = element;
    element.style.left = `${Math.max(Math.min(at.x, innerWidth - offsetWidth - MARGIN), MARGIN)}px`;
    element.style.top = `${Math.max(Math.min(at.y, innerHeight - offsetHeight - MARGIN), MARGIN)}px`;
    element.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, [at]);

  useEffect(() => {
    const onOutside = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) onClose();
    };
    document.addEventListener('pointerdown', onOutside);
    return () => document.removeEventListener('pointerdown', onOutside);
  }, [onClose]);

  const { addTransform, openSandwich, searchFor } = actions;
  const groups: MenuItem[][] = [
    [
      { text: isRoot ? 'Show everything' : 'Zoom to this frame', key: 'Enter', run: () => store.flame.zoomTo(node) },
      ...(isRoot || openSandwich === undefined
        ? []
        : [{ text: 'Show callers and callees', key: '4', run: () => openSandwich(name) }]),
    ],
    isRoot || addTransform === undefined
      ? []
      : TRANSFORM_TEXTS.map(([kind, key, text]) => ({ text, key, run: () => addTransform(kind, name) })),
    [
      { text: 'Copy the full name', key: 'Ctrl + C', run: actions.copyName },
      { text: 'Copy a link to this frame', key: 'y', run: actions.copyLink },
      ...(isRoot || searchFor === undefined
        ? []
        : [{ text: 'Search for this name', key: '', run: () => searchFor(name) }]),
    ],
  ];

  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const current = items.indexOf(document.activeElement as HTMLElement);
    const next = new Map([
      ['ArrowDown', current + 1],
      ['ArrowUp', current - 1],
      ['Home', 0],
      ['End', -1],
    ]).get(event.key);
    if (next !== undefined) items.at(next % items.length)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="menu"
      role="menu"
      aria-label={`What to do with ${shownName(name)}`}
      tabIndex={-1}
      ref={menu}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {groups.map((items, group) => (
        <fieldset key={group}>
          {items.map(({ text, key, run }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                onClose();
                run();
              }}
            >
              {text} <kbd>{key}</kbd>
            </button>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
