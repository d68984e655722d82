import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { FlameData } from '../flame/flame-data.js';
import type { ExpressionSearch } from './expression-search.js';
import { levelPrefixes, type MatchSummary, summarizeMatches } from './match-share.js';
import { matchText, parsePattern } from './pattern.js';

/** How far a search has come. */
export type SearchResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'searching' }
  /** `reason` completes the sentence "This pattern …". */
  | { readonly kind: 'refused'; readonly reason: string }
  | FoundMatches;

export interface FoundMatches {
  readonly kind: 'found';
  /** The profile it was found in: of an older one, the indexes mean nothing. */
  readonly profile: FlameData;
  /** 1 where the name matches, by name index. */
  readonly names: Uint8Array;
  readonly before: readonly Int32Array[];
  readonly summary: MatchSummary;
}

/** Searches whenever the pattern or the profile changes. Distinct names are tested once each, however many frames have them. */
export class SearchState {
  private readonly current = signal<SearchResult>({ kind: 'none' });
  readonly stop: () => void;

  constructor(
    typed: ReadonlySignal<string>,
    profile: ReadonlySignal<FlameData | undefined>,
    expressions: ExpressionSearch,
  ) {
    const pattern = computed(() => parsePattern(typed.value));
    const stopLooking = effect(() => {
      const wanted = pattern.value;
      const searched = profile.value;
      let wantedStill = true;
      if (wanted.kind === 'none' || searched === undefined) {
        this.current.value = { kind: 'none' };
      } else if (wanted.kind === 'invalid') {
        this.current.value = { kind: 'refused', reason: `cannot be read: ${wanted.reason}` };
      } else if (wanted.kind === 'text') {
        this.current.value = found(searched, matchText(searched.tree.names, wanted.text));
      } else {
        this.current.value = { kind: 'searching' };
        void expressions.search(searched.tree.names, wanted.source, wanted.flags).then((result) => {
          if (!wantedStill) return;
          if (result.kind === 'found') this.current.value = found(searched, result.matches);
          else if (result.kind === 'stopped') {
            this.current.value = { kind: 'refused', reason: 'takes too long on these names and was stopped' };
          } else if (result.kind === 'failed') {
            this.current.value = { kind: 'refused', reason: `could not be searched for: ${result.reason}` };
          }
        });
      }
      return () => {
        wantedStill = false;
      };
    });
    this.stop = () => {
      stopLooking();
      expressions.stop();
    };
  }

  get result(): SearchResult {
    return this.current.value;
  }

  /** The matches, if they belong to this profile. */
  matchesIn(profile: FlameData | undefined): FoundMatches | undefined {
    const result = this.current.value;
    return result.kind === 'found' && result.profile === profile ? result : undefined;
  }
}

function found(profile: FlameData, names: Uint8Array): FoundMatches {
  const { tree, layout } = profile;
  // The root stands for everything and is no function; what was cut off has no name of its own.
  names[0] = 0;
  if (profile.cut.name !== -1) names[profile.cut.name] = 0;
  return {
    kind: 'found',
    profile,
    names,
    before: levelPrefixes(tree, layout, names),
    summary: summarizeMatches(tree, names),
  };
}
