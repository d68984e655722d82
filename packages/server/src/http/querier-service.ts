import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import {
  cutCallTree,
  cutDiffTree,
  type Flamebearer,
  PilotlightError,
  toDiffFlamebearer,
  toFlamebearer,
  writeTreeBytes,
} from '@pilotlight/profile';
import {
  ProfileFormat,
  QuerierService,
  type SelectMergeStacktracesRequest,
  TimeSeriesAggregationType,
} from '@pilotlight/protocol/messages';
import { type Selection, selectCallTree, selectProfile, selectTimeSeries } from '../store/select.js';
import type { Store } from '../store/store.js';
import { connectError } from './errors.js';
import { answerJson, flameGraphJson, seriesJson } from './own-json.js';
import { profileMessage } from './profile-message.js';
import { checkMaxNodes, checkSelection, checkStep } from './query-checks.js';
import { selectDiff } from './select-diff.js';
import { labelValues, selectMatching } from './select-matching.js';

/** `querier.v1.QuerierService`, as Grafana and the page ask it. */
export function querierService(router: ConnectRouter, store: Store): void {
  const matching = (matchers: readonly string[], start: bigint, end: bigint) =>
    selectMatching(store, matchers, { start, end });
  const answering =
    <Request, Response>(answer: (request: Request, context: HandlerContext) => Promise<Response>) =>
    async (request: Request, context: HandlerContext): Promise<Response> => {
      try {
        return await answer(request, context);
      } catch (thrown) {
        throw connectError(thrown);
      }
    };

  router.service(QuerierService, {
    profileTypes: answering(async ({ start, end }) => {
      const entries = await matching([], start, end);
      const ids = [...new Set(entries.map(({ profileType }) => profileType))].sort();
      return {
        profileTypes: ids.map((ID) => {
          const [name = '', sampleType = '', sampleUnit = '', periodType = '', periodUnit = ''] = ID.split(':');
          return { ID, name, sampleType, sampleUnit, periodType, periodUnit };
        }),
      };
    }),

    labelNames: answering(async ({ matchers, start, end }) => {
      const names = new Set<string>();
      for (const { labels } of await matching(matchers, start, end)) for (const name of labels.keys()) names.add(name);
      return { names: [...names].sort() };
    }),

    labelValues: answering(async ({ name, matchers, start, end }) => {
      if (name === '') throw new PilotlightError('malformed_query', 'the name of the label is missing');
      return { names: labelValues(await matching(matchers, start, end), name) };
    }),

    series: answering(async ({ matchers, labelNames, start, end }) => {
      const sets = new Map<string, { labels: { name: string; value: string }[] }>();
      for (const entry of await matching(matchers, start, end)) {
        const labels = [...entry.labels].map(([name, value]) => ({ name, value }));
        const kept = labelNames.length === 0 ? labels : labels.filter(({ name }) => labelNames.includes(name));
        if (kept.length > 0) sets.set(JSON.stringify(kept), { labels: kept });
      }
      return { labelsSet: [...sets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, set]) => set) };
    }),

    selectMergeStacktraces: answering(async (request, { values }) => {
      const maxNodes = checkMaxNodes(request.maxNodes);
      const selection = stacktraces(request);
      if (request.format === ProfileFormat.PPROF) {
        return { pprof: { profile: profileMessage(await selectProfile(store, selection)) } };
      }
      const isTree = request.format === ProfileFormat.TREE;
      if (!isTree && request.format !== ProfileFormat.UNSPECIFIED && request.format !== ProfileFormat.FLAMEGRAPH) {
        throw new PilotlightError('unsupported_format', 'the formats here are FLAMEGRAPH, TREE and PPROF');
      }
      const tree = cutCallTree(await selectCallTree(store, selection), maxNodes);
      if (isTree) return { tree: writeTreeBytes(tree) };
      const flamebearer = toFlamebearer(tree);
      if (answerJson(values, () => flameGraphJson(flamebearer))) return {};
      return { flamegraph: flameGraphMessage(flamebearer) };
    }),

    selectMergeSpanProfile: answering(async ({ spanSelector, format, maxNodes, ...request }) => {
      if (spanSelector.length === 0) throw new PilotlightError('malformed_query', 'span_selector is missing');
      const selection = checkSelection({ ...request, spans: spanSelector });
      const tree = cutCallTree(await selectCallTree(store, selection), checkMaxNodes(maxNodes));
      return format === ProfileFormat.TREE
        ? { tree: writeTreeBytes(tree) }
        : { flamegraph: flameGraphMessage(toFlamebearer(tree)) };
    }),

    diff: answering(async ({ left, right }) => {
      if (left === undefined || right === undefined) {
        throw new PilotlightError('malformed_query', `the ${left === undefined ? 'left' : 'right'} side is missing`);
      }
      const maxNodes = Math.max(checkMaxNodes(left.maxNodes), checkMaxNodes(right.maxNodes));
      const diff = await selectDiff(store, stacktraces(left), stacktraces(right));
      const { names, levels, total, maxSelf, leftTicks, rightTicks } = toDiffFlamebearer(
        cutDiffTree(diff, maxNodes, 'value'),
      );
      return {
        flamegraph: {
          names,
          levels: levels.map(bars),
          total: whole(total),
          maxSelf: whole(maxSelf),
          leftTicks: whole(leftTicks),
          rightTicks: whole(rightTicks),
        },
      };
    }),

    selectMergeProfile: answering(async (request) => {
      const callSite = request.stackTraceSelector?.callSite.map(({ name }) => name) ?? [];
      return profileMessage(await selectProfile(store, checkSelection({ ...request, callSite })));
    }),

    selectSeries: answering(async (request, { values }) => {
      const callSite = request.stackTraceSelector?.callSite.map(({ name }) => name) ?? [];
      const selection = checkSelection({ ...request, callSite });
      const stepMs = checkStep(request.step, selection.startMs, selection.endMs);
      const aggregation = request.aggregation === TimeSeriesAggregationType.AVERAGE ? 'average' : 'sum';
      const series = await selectTimeSeries(store, selection, stepMs, request.groupBy, aggregation);
      const limit = Number(request.limit ?? 0n);
      const asked = limit > 0 ? series.slice(0, limit) : series;
      if (answerJson(values, () => seriesJson(asked))) return {};
      return {
        series: asked.map(({ labels, points }) => ({
          labels: [...labels].map(([name, value]) => ({ name, value })),
          points: points.map(({ timeMs, value }) => ({ value, timestamp: BigInt(timeMs) })),
        })),
      };
    }),
  });
}

function stacktraces(request: SelectMergeStacktracesRequest): Selection {
  if (request.profileIdSelector.length > 0 || request.traceIdSelector.length > 0) {
    throw new PilotlightError('malformed_query', 'profiles and traces cannot be asked for by their ids; spans can');
  }
  const callSite = request.stackTraceSelector?.callSite.map(({ name }) => name) ?? [];
  return checkSelection({ ...request, callSite, spans: request.spanSelector });
}

function flameGraphMessage({ names, levels, total, maxSelf }: Flamebearer) {
  return { names, levels: levels.map(bars), total: whole(total), maxSelf: whole(maxSelf) };
}

function bars(level: readonly number[]): { values: bigint[] } {
  return { values: level.map(whole) };
}

function whole(value: number): bigint {
  return BigInt(Math.round(value));
}
