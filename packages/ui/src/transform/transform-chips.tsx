import { shownName } from '../flame/flame-text.js';
import type { ProfileScene } from '../page/profile-scene.js';
import type { TransformKind } from '../view/view-state.js';

const WORDS: Readonly<Record<TransformKind, string>> = {
  focus: 'only',
  merge: 'merged',
  drop: 'without',
  collapse: 'nothing below',
  recursion: 'recursion of',
};

/** What was done to the tree, in order, each with a way to take it back. */
export function TransformChips({ scene }: { scene: ProfileScene }) {
  const transforms = scene.view.get('transforms');
  if (transforms.length === 0) return null;
  return (
    <div class="filters">
      {transforms.map(({ kind, name }, index) => {
        const text = `${WORDS[kind]} ${shownName(name)}`;
        return (
          <span class="chip" key={`${index} ${text}`}>
            <span class="chip-text" title={text}>
              {text}
            </span>
            <button
              type="button"
              aria-label={`Take back: ${text}`}
              onClick={() => scene.view.change({ transforms: transforms.filter((_, other) => other !== index) })}
            >
              ×
            </button>
          </span>
        );
      })}
      <button type="button" onClick={() => scene.view.change({ transforms: [] })}>
        Show the whole profile
      </button>
    </div>
  );
}
