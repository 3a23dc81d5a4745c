// Analysis runs: started, listed and shown. A specification fixes the routes, their fields and their limits.

import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { ANALYSIS_STATUSES, ANALYSIS_VERSION, analysisRunId } from '../core/analysis/analysis-run.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { AnalysisEvent, AnalysisRun } from '../store/port/analysis.ts';
import { action } from './action.ts';
import { resolveSource } from './support/resolve.ts';

const STAGES = [
  'starting',
  'db-setup',
  'page-analysis',
  'domain-analysis',
  'awarding-milestones',
  'completed',
  'failed',
] as const;

export const AnalysisView = z.object({
  id: z.string(),
  status: z.enum(ANALYSIS_STATUSES),
  stage: z.enum(STAGES),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  durationMs: z.int().describe('Until now for a run that has not ended'),
  analysisVersion: z.int(),
  pageLimit: z.int().nullable(),
  domainLimit: z.int().nullable(),
  skipPages: z.boolean(),
  skipDomains: z.boolean(),
  dryRun: z.boolean(),
  verbose: z.boolean(),
  summary: z.record(z.string(), z.unknown()).nullable().describe('What its steps did; of a live run so far'),
  lastProgress: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
});

export type AnalysisView = z.output<typeof AnalysisView>;

const EventView = z.object({
  id: z.int(),
  runId: z.string(),
  ts: z.iso.datetime(),
  stage: z.enum(STAGES),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).nullable(),
});

const DEFAULT_EVENTS = 100;
const eventsLimit = z.int().min(1).max(500).optional();

export const startAnalysis = action({
  name: 'start_analysis',
  summary: 'Analyze stored pages and hosts, and award milestones that are due, without the network',
  effect: 'write',
  input: z.strictObject({
    source: z.string().min(1).optional().describe('Only the pages of this source'),
    analysisVersion: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Pages that were analyzed with a lower version are analyzed; that of the program by default'),
    pageLimit: z.int().min(1).nullish().describe('Maximum number of pages, the newest first'),
    domainLimit: z.int().min(1).nullish().describe('Maximum number of hosts'),
    skipPages: z.boolean().default(false).describe('Analyze no pages'),
    skipDomains: z.boolean().default(false).describe('Analyze no hosts'),
    dryRun: z.boolean().default(false).describe('Write only the run, with what it would have done'),
    verbose: z.boolean().default(false).describe('Record an event for every hundred pages'),
    again: z.boolean().default(false).describe('Analyze all pages again, with a version above every stored one'),
  }),
  output: z.object({
    runId: z.string(),
    detailUrl: z.string().describe('A page that shows the run, without JavaScript too'),
    apiUrl: z.string(),
  }),
  bindings: {
    cli: {
      command: 'analyze',
      group: 'maintain',
      flags: ['wait'],
      positional: ['source'],
      example: 'pinakes analyze docs.example.dev --wait',
    },
    http: { method: 'POST', path: '/analysis/start', status: 202 },
  },

  async run({ source: name, analysisVersion, pageLimit = null, domainLimit = null, again, ...flags }, { store }) {
    const source = name === undefined ? null : (await resolveSource(store, name)).id;
    const highest = again ? await store.analysis.highestVersion() : 0;
    const version = Math.max(analysisVersion ?? ANALYSIS_VERSION, again ? highest + 1 : 0);
    const runId = analysisRunId(new Date(), () => randomInt(36) / 36);
    await store.analysis.start(runId, { ...flags, source, analysisVersion: version, pageLimit, domainLimit });
    return { runId, detailUrl: `/analysis/${runId}/ssr`, apiUrl: `/api/analysis/${runId}` };
  },
});

export const listAnalyses = action({
  name: 'list_analyses',
  summary: 'List analysis runs, newest first',
  effect: 'read',
  input: z.strictObject({
    limit: z.int().min(1).max(200).default(50).describe('Maximum number of runs'),
    offset: z.int().min(0).default(0).describe('How many of the newest to leave out'),
  }),
  output: z.object({ total: z.int(), items: z.array(AnalysisView) }),
  bindings: {
    cli: { command: 'analyses', group: 'inspect', positional: [], example: 'pinakes analyses --limit 5' },
    http: { method: 'GET', path: '/analysis' },
  },

  /** A specification wants an empty list from a database that cannot be read. */
  async run(range, { store }) {
    const { total, runs } = await store.analysis.list(range).catch(() => ({ total: 0, runs: [] }));
    return { total, items: runs.map(runView) };
  },
});

const RunId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/)
  .describe('The id of the run');

export const stopAnalysis = action({
  name: 'stop_analysis',
  summary: 'Stop an analysis run and keep what it wrote',
  effect: 'write',
  input: z.strictObject({ id: RunId }),
  output: z.object({ run: AnalysisView }),
  bindings: {
    cli: {
      command: 'stop-analysis',
      group: 'maintain',
      positional: ['id'],
      example: 'pinakes stop-analysis analysis-20261118052134-k3f9a2',
    },
    http: { method: 'POST', path: '/analysis/{id}/stop' },
  },

  async run({ id }, { store }) {
    await store.analysis.stop(id);
    const run = await store.analysis.byId(id);
    if (run === null) throw pinakesError('analysis.unknown', { id });
    return { run: runView(run) };
  },
});

export const showAnalysis = action({
  name: 'show_analysis',
  summary: 'Show an analysis run with its newest events',
  effect: 'read',
  input: z.strictObject({
    id: RunId,
    eventsLimit: eventsLimit.describe(`Maximum number of events; ${DEFAULT_EVENTS} by default`),
    limit: eventsLimit.describe('The same, under its other name'),
  }),
  output: z.object({ run: AnalysisView, events: z.array(EventView).describe('Newest first') }),
  bindings: {
    cli: {
      command: 'analysis',
      group: 'inspect',
      positional: ['id'],
      example: 'pinakes analysis analysis-20261118052134-k3f9a2',
    },
    http: { method: 'GET', path: '/analysis/{id}' },
  },

  async run({ id, eventsLimit: named, limit }, { store }) {
    const run = await store.analysis.byId(id).catch(() => null);
    if (run === null) throw pinakesError('analysis.unknown', { id });
    const events = await store.analysis.events(id, named ?? limit ?? DEFAULT_EVENTS);
    return { run: runView(run), events: events.map(eventView) };
  },
});

function runView({ source: _, readAt, startedAt, endedAt, summary, lastProgress, ...run }: AnalysisRun): AnalysisView {
  return {
    ...run,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    durationMs: (endedAt ?? readAt).getTime() - startedAt.getTime(),
    summary: summary === null ? null : { ...summary },
    lastProgress: lastProgress === null ? null : { ...lastProgress },
  };
}

function eventView({ run, at, details, ...event }: AnalysisEvent): z.output<typeof EventView> {
  return { ...event, runId: run, ts: at.toISOString(), details: details === null ? null : { ...details } };
}
