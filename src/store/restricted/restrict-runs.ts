// Runs, their journal and their analyses, of visible sources alone.

import { pinakesError } from '../../core/model/errors.ts';
import type { RunId, VersionId } from '../../core/model/run.ts';
import type { Analysis, AnalysisRun } from '../port/analysis.ts';
import type { Journal, ListRange } from '../port/journal.ts';
import type { Runs } from '../port/runs.ts';
import { closedBut, guarded, notFound, type VisibleSources } from './visible-sources.ts';

export function restrictRuns(runs: Runs, visible: VisibleSources): Runs {
  const isRun = (id: RunId): Promise<boolean> => visible.hasRun(id);
  const listPage: Runs['listPage'] = async (query) => {
    if (query.source === null)
      return collect(query, (range) => runs.listPage({ ...query, ...range }), {
        number: ({ id }) => id,
        isVisible: ({ source }) => visible.hasSource(source),
      });
    return (await visible.hasSource(query.source)) ? runs.listPage(query) : [];
  };
  return closedBut<Runs>('runs', {
    ...guarded(runs, ['start'], (id) => visible.hasVersion(id)),
    ...guarded(runs, ['samples', 'recentSample', 'hosts', 'ordinal', 'control', 'stopWithin'], isRun),
    byId: async (id) => ((await isRun(id)) ? runs.byId(id) : null),
    list: async (limit, source) => listPage({ source: source ?? null, state: null, before: null, after: null, limit }),
    listPage,
    async latest(sources) {
      return visible.runs(await runs.latest(sources));
    },
    async failedSources(limit) {
      const sources = await visible.list();
      const latest = await runs.latest(sources.map(({ id }) => id));
      const failed = new Set(latest.filter(({ state }) => state === 'failed').map(({ source }) => source));
      const names = sources.filter(({ id }) => failed.has(id)).map(({ name }) => name);
      return { count: names.length, names: names.slice(0, limit) };
    },
    live: async () => visible.runs(await runs.live()),
    async countActive() {
      const live = await visible.runs(await runs.live());
      return live.filter(({ state }) => state === 'running' || state === 'queued').length;
    },
  });
}

export function restrictJournal(journal: Journal, visible: VisibleSources): Journal {
  const isRun = (id: RunId): Promise<boolean> => visible.hasRun(id);
  const ofRun = { isVisible: async ({ run }: { readonly run: RunId | null }) => run !== null && isRun(run) };
  /** A null run is all runs. */
  const listed = async <Query extends ListRange & { readonly run: RunId | null }, Item>(
    query: Query,
    read: (query: Query) => Promise<readonly Item[]>,
    collection: Collection<Item>,
  ): Promise<readonly Item[]> => {
    if (query.run !== null) return (await isRun(query.run)) ? read(query) : [];
    return collect(query, (range) => read({ ...query, ...range }), collection);
  };
  return closedBut<Journal>('journal', {
    async after(seq, limit, run) {
      if (run !== undefined && !(await isRun(run))) return [];
      const events = await journal.after(seq, limit, run);
      const admitted = await Promise.all(events.map(({ source }) => visible.hasSource(source)));
      return events.filter((_, at) => admitted[at]);
    },
    list: (query) =>
      listed(query, (one) => journal.list(one), {
        number: ({ seq }) => seq,
        isVisible: ({ source }) => visible.hasSource(source),
      }),
    lastSeq: () => journal.lastSeq(),
    ...guarded(journal, ['problems', 'milestones'], isRun),
    listProblems: (query) => listed(query, (one) => journal.listProblems(one), { ...ofRun, number: ({ id }) => id }),
    async listMilestones(query) {
      // Items from an analysis name no run, and may be about any source.
      return collect(query, (range) => journal.listMilestones({ ...query, ...range }), {
        ...ofRun,
        number: ({ id }) => id,
      });
    },
  });
}

const MAX_ANALYSES = 10_000;

export function restrictAnalysis(analysis: Analysis, visible: VisibleSources): Analysis {
  const isVersion = (id: VersionId): Promise<boolean> => visible.hasVersion(id);
  const isShown = async ({ source }: Pick<AnalysisRun, 'source'>): Promise<boolean> =>
    source !== null && (await visible.hasSource(source));
  const byId = async (id: string): Promise<AnalysisRun | null> => {
    const run = await analysis.byId(id);
    return run !== null && (await isShown(run)) ? run : null;
  };
  return closedBut<Analysis>('analysis', {
    async start(id, options) {
      if (options.source === null)
        throw pinakesError('http.forbidden', {
          reason: 'The rights of this token cover some sources: name one of them',
        });
      if (!(await isShown(options))) throw notFound();
      return analysis.start(id, options);
    },
    byId,
    stop: async (id) => (await byId(id)) !== null && analysis.stop(id),
    async list({ limit, offset }) {
      const { runs } = await analysis.list({ limit: MAX_ANALYSES, offset: 0 });
      const admitted: AnalysisRun[] = [];
      for (const run of runs) if (await isShown(run)) admitted.push(run);
      return { total: admitted.length, runs: admitted.slice(offset, offset + limit) };
    },
    events: async (run, limit) => ((await byId(run)) === null ? [] : analysis.events(run, limit)),
    ...guarded(
      analysis,
      ['analyses', 'analysisOf', 'hostsOf', 'downloads', 'reachedOnce', 'coverage', 'hubs'],
      isVersion,
    ),
    highestVersion: () => analysis.highestVersion(),
    countPending: async (options) => ((await isShown(options)) ? analysis.countPending(options) : 0),
  });
}

interface Collection<Item> {
  readonly number: (item: Item) => number;
  readonly isVisible: (item: Item) => Promise<boolean>;
}

const MIN_ROWS_PER_READ = 200;
/** Limit of rows that are read for a caller who may see few of them. */
const MAX_READS = 50;

/** A page of a list, newest first, of which only visible items count. */
async function collect<Item>(
  { before, after, limit }: ListRange,
  read: (range: ListRange) => Promise<readonly Item[]>,
  { number, isVisible }: Collection<Item>,
): Promise<readonly Item[]> {
  const admitted: Item[] = [];
  const size = Math.max(limit, MIN_ROWS_PER_READ);
  let range: ListRange = { before, after, limit: size };
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const rows = await read(range);
    // With `after` the oldest of them are wanted, and each read continues above the newest.
    const ordered = after === null ? rows : rows.toReversed();
    for (const row of ordered) if (admitted.length < limit && (await isVisible(row))) admitted.push(row);
    const last = ordered.at(-1);
    if (rows.length < size || admitted.length >= limit || last === undefined) break;
    range = after === null ? { ...range, before: number(last) } : { ...range, after: number(last) };
  }
  return after === null ? admitted : admitted.toReversed();
}
