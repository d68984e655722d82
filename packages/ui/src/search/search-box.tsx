import type { Ref } from 'preact';
import type { FlameStore } from '../flame/flame-data.js';
import { goToMatch } from '../flame/flame-keys.js';
import { formatShare } from '../values/scale.js';
import type { FoundMatches, SearchResult } from './search-state.js';

interface SearchBoxProps {
  readonly store: FlameStore;
  readonly input: Ref<HTMLInputElement>;
  /** How much of everything the matches are. */
  readonly share: (matches: FoundMatches) => string;
}

/** What is searched for, how much of everything that is, and the way from match to match. */
export function SearchBox({ store, input, share }: SearchBoxProps) {
  const search = store.view.get('search');
  const { result } = store.search;
  const isFound = result.kind === 'found' && result.summary.frameCount > 0;
  const step = (direction: 1 | -1) => goToMatch(store, direction);
  return (
    <search class="search">
      <label class="field search-field">
        <span>Search</span>
        <input
          type="search"
          id="search"
          ref={input}
          value={search}
          placeholder="text, or /regular expression/"
          autoComplete="off"
          spellcheck={false}
          maxLength={1_100}
          aria-invalid={result.kind === 'refused'}
          aria-describedby="search-result"
          onInput={(event) => store.view.change({ search: event.currentTarget.value }, 'replace')}
          onKeyDown={(event) => {
            if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
            else if (event.key === 'Escape' && search !== '') store.view.change({ search: '' }, 'replace');
            else return;
            event.preventDefault();
          }}
        />
      </label>
      <button
        type="button"
        disabled={!isFound}
        aria-label="Previous match"
        title="Previous match (N)"
        onClick={() => step(-1)}
      >
        ↑
      </button>
      <button type="button" disabled={!isFound} aria-label="Next match" title="Next match (n)" onClick={() => step(1)}>
        ↓
      </button>
      <output id="search-result" class={result.kind === 'refused' ? 'fault' : 'search-result'} for="search">
        {resultText(store.search.result, share)}
      </output>
    </search>
  );
}

/** The matches of one profile. `whole` completes the sentence "30 % of …". */
export function shareOf({ summary, profile }: FoundMatches, whole: string): string {
  return `${formatShare(summary.value, profile.tree.total[0] as number)} of ${whole}`;
}

function resultText(result: SearchResult, share: SearchBoxProps['share']): string {
  switch (result.kind) {
    case 'none':
      return '';
    case 'searching':
      return 'searching …';
    case 'refused':
      return `This pattern ${result.reason}.`;
    case 'found': {
      const { summary } = result;
      if (summary.frameCount === 0) return 'No function matches.';
      return `${share(result)} in ${counted(summary.functionCount, 'function')}, ${counted(summary.frameCount, 'frame')}`;
    }
  }
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
