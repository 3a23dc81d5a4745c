// Pages for browsers: the dashboard, and the lists that a specification wants readable without JavaScript.

import type { Context, Hono } from 'hono';
import type { ActionInput, ActionName, ActionOutput } from '../../../actions/actions.ts';
import { PLACE_KINDS } from '../../../core/gazetteer/place.ts';
import { pinakesError } from '../../../core/model/errors.ts';
import { resultFor, type Env } from '../auth-middleware.ts';
import { createStaticFiles } from '../static-files.ts';
import {
  html,
  htmlPage,
  link,
  pathWith,
  REFRESH_SCRIPT,
  SCRIPT_PATH,
  STYLE,
  STYLE_PATH,
  type Content,
} from './html.ts';
import { listView, type ListColumn, type ListFilter, type ListPager } from './list-page.ts';

type Item<Name extends ActionName, Field extends keyof ActionOutput<Name>> =
  ActionOutput<Name>[Field] extends ReadonlyArray<infer One> ? One : never;

type Cursors = ActionOutput<'list_events'>['cursors'];

const REFRESH_MS = 5000;
const LIST_LIMIT = 50;
const EVENT_LIMIT = 200;
const MAX_PLACE_PAGE = 100_000;

const RUN_COLUMNS: ReadonlyArray<ListColumn<Item<'crawl_status', 'runs'>>> = [
  { head: 'Queue', cell: ({ run }) => link(`/queues/${run}/ssr`, `run ${run}`) },
  { head: 'Source', cell: ({ source }) => source },
  { head: 'State', cell: ({ state, reason }) => (reason === null ? state : `${state}: ${reason}`) },
  { head: 'Started', cell: ({ startedAt }) => startedAt ?? '' },
  { head: 'Ended', cell: ({ endedAt }) => endedAt ?? '' },
  { head: 'Found', cell: ({ counts }) => counts.found },
  { head: 'Queued', cell: ({ counts }) => counts.queued },
  { head: 'New', cell: ({ counts }) => counts.new },
  { head: 'Failed', cell: ({ counts }) => counts.failed },
];

const EVENT_COLUMNS: ReadonlyArray<ListColumn<Item<'list_events', 'events'>>> = [
  { head: 'No.', cell: ({ seq }) => seq },
  { head: 'Time', cell: ({ at }) => at },
  { head: 'Action', cell: ({ kind }) => kind },
  { head: 'URL', cell: ({ url }) => url ?? '' },
  { head: 'Details', cell: ({ detail }) => JSON.stringify(detail) },
];

const PROBLEM_COLUMNS: ReadonlyArray<ListColumn<Item<'list_problems', 'problems'>>> = [
  { head: 'Time', cell: ({ ts }) => ts },
  { head: 'Queue', cell: ({ run }) => link(`/queues/${run}/ssr`, `run ${run}`) },
  { head: 'Severity', cell: ({ severity }) => html`<span class="${severity}">${severity}</span>` },
  { head: 'Kind', cell: ({ kind }) => kind },
  { head: 'Scope', cell: ({ scope }) => scope },
  { head: 'Target', cell: ({ target }) => target },
  { head: 'Message', cell: ({ message, count }) => (count > 1 ? `${message} (${count} times)` : message) },
  { head: 'Details', cell: ({ details }) => JSON.stringify(details) },
];

const MILESTONE_COLUMNS: ReadonlyArray<ListColumn<Item<'list_milestones', 'milestones'>>> = [
  { head: 'Time', cell: ({ ts }) => ts },
  { head: 'Job', cell: ({ run, job }) => (run === null ? job : link(`/queues/${run}/ssr`, `run ${run}`)) },
  { head: 'Kind', cell: ({ kind }) => kind },
  { head: 'Scope', cell: ({ scope }) => scope },
  { head: 'Target', cell: ({ target }) => target },
  { head: 'Message', cell: ({ message }) => message },
  { head: 'Details', cell: ({ details }) => JSON.stringify(details) },
];

const ANALYSIS_COLUMNS: ReadonlyArray<ListColumn<Item<'list_analyses', 'items'>>> = [
  { head: 'Run', cell: ({ id }) => link(`/analysis/${id}/ssr`, id) },
  { head: 'Status', cell: ({ status }) => html`<span class="${status}">${status}</span>` },
  { head: 'Stage', cell: ({ stage }) => stage },
  { head: 'Started', cell: ({ startedAt }) => startedAt },
  { head: 'Duration', cell: ({ durationMs }) => `${(durationMs / 1000).toFixed(1)} s` },
  { head: 'Summary', cell: ({ summary, error }) => error ?? highlights(summary) },
];

const PLACE_COLUMNS: ReadonlyArray<ListColumn<Item<'list_places', 'rows'>>> = [
  { head: 'Place', cell: ({ id, name }) => link(`/api/gazetteer/place/${id}`, name) },
  { head: 'Kind', cell: ({ kind }) => kind },
  { head: 'Country', cell: ({ country_code: country }) => country },
  { head: 'Population', cell: ({ population }) => population },
];

const JOB: ListFilter = { name: 'job', label: 'Job' };
const KIND: ListFilter = { name: 'kind', label: 'Kind' };
const SCOPE: ListFilter = { name: 'scope', label: 'Scope' };
const ACTION: ListFilter = { name: 'action', label: 'Action', options: ['enqueued', 'dequeued', 'retry', 'drop'] };
const PLACE_FILTERS: readonly ListFilter[] = [
  { name: 'q', label: 'Name' },
  { name: 'kind', label: 'Kind', options: PLACE_KINDS },
  { name: 'cc', label: 'Country' },
];
const SEVERITY: ListFilter = { name: 'severity', label: 'Severity', options: ['info', 'warning', 'error'] };

/** The last routes: whatever no other one has is a file or a view of the dashboard, or is not found. */
export function addBrowserPages(app: Hono<Env>): void {
  app.get(STYLE_PATH, (c) => c.body(STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get(SCRIPT_PATH, (c) => c.body(REFRESH_SCRIPT, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  addLists(app);
  app.get('*', createStaticFiles());
}

function addLists(app: Hono<Env>): void {
  app.get('/queues/ssr', async (c) => {
    const { runs, cursors } = await read(c, 'crawl_status', rangeOf(c, LIST_LIMIT));
    const view = { path: '/queues/ssr', columns: RUN_COLUMNS, filters: [], items: runs };
    return c.html(htmlPage('Queues', listView({ ...view, pager: pagerOf(cursors), values: {} })));
  });
  app.get('/queues/latest', async (c) => {
    const { runs } = await read(c, 'crawl_status', { limit: 1 });
    return c.redirect(runs[0] === undefined ? '/queues/ssr' : `/queues/${runs[0].run}/ssr`);
  });
  app.get('/queues/:id/ssr', (c) => queuePage(c, c.req.param('id')));
  app.get('/problems/ssr', async (c) => {
    const values = valuesOf(c, [JOB, KIND, SCOPE, SEVERITY]);
    const { job, severity, ...rest } = values;
    const input = { ...rest, ...(job && { run: job }), ...(severity && { severity: severity as 'warn' }) };
    const { problems, cursors } = await read(c, 'list_problems', { ...input, ...rangeOf(c, LIST_LIMIT) });
    const view = { path: '/problems/ssr', columns: PROBLEM_COLUMNS, filters: [JOB, KIND, SCOPE, SEVERITY], values };
    return c.html(htmlPage('Problems', listView({ ...view, items: problems, pager: pagerOf(cursors) })));
  });
  app.get('/milestones/ssr', async (c) => {
    const filters = [JOB, KIND, SCOPE];
    const values = valuesOf(c, filters);
    const { milestones, cursors } = await read(c, 'list_milestones', { ...values, ...rangeOf(c, LIST_LIMIT) });
    const view = { path: '/milestones/ssr', columns: MILESTONE_COLUMNS, filters, values };
    return c.html(htmlPage('Milestones', listView({ ...view, items: milestones, pager: pagerOf(cursors) })));
  });
  app.get('/analysis/ssr', async (c) => {
    const offset = numberOf(c, 'offset') ?? 0;
    const { items, total } = await read(c, 'list_analyses', { limit: LIST_LIMIT, offset });
    const newer = offset > 0 ? { offset: Math.max(0, offset - LIST_LIMIT) } : null;
    const older = offset + items.length < total ? { offset: offset + LIST_LIMIT } : null;
    const view = { path: '/analysis/ssr', columns: ANALYSIS_COLUMNS, filters: [], values: {} };
    return c.html(htmlPage('Analysis runs', listView({ ...view, items, pager: { newer, older } }), REFRESH_MS));
  });
  app.get('/gazetteer', (c) => gazetteerPage(c, read));
  app.get('/analysis/:id/ssr', async (c) => {
    const { run, events } = await read(c, 'show_analysis', { id: c.req.param('id'), eventsLimit: EVENT_LIMIT });
    return c.html(htmlPage(run.id, analysisContent(run, events), run.endedAt === null ? REFRESH_MS : null));
  });
}

/** The counts, which are zeros before the first import, and the places. */
async function gazetteerPage(c: Context<Env>, read: Read): Promise<Response> {
  const counts = await read(c, 'show_gazetteer', {});
  const values = valuesOf(c, PLACE_FILTERS);
  const { kind, ...rest } = values;
  const page = Math.max(1, Math.min(MAX_PLACE_PAGE, numberOf(c, 'page') ?? 1));
  const input = { ...rest, ...(kind && { kind: kind as 'country' }), page, pageSize: LIST_LIMIT };
  const { rows, total } = await read(c, 'list_places', input);
  const pager = {
    newer: page > 1 ? { page: page - 1 } : null,
    older: page * LIST_LIMIT < total ? { page: page + 1 } : null,
  };
  const view = { path: '/gazetteer', columns: PLACE_COLUMNS, filters: PLACE_FILTERS, values, items: rows, pager };
  const content = html`<dl>
      ${Object.entries(counts).map(
        ([name, count]) =>
          html`<dt>${name}</dt>
            <dd>${count}</dd>`,
      )}
    </dl>
    ${listView(view)}`;
  return c.html(htmlPage('Gazetteer', content));
}

type Read = <Name extends ActionName>(
  c: Context<Env>,
  name: Name,
  input: ActionInput<Name>,
) => Promise<ActionOutput<Name>>;

const read: Read = async <Name extends ActionName>(c: Context<Env>, name: Name, input: ActionInput<Name>) => {
  const result = await c.get('call')(name, input, { signal: c.req.raw.signal });
  return resultFor(c.get('principal'), name, result) as ActionOutput<Name>;
};

/** The events of one run, and the runs before and after it. */
async function queuePage(c: Context<Env>, id: string): Promise<Response> {
  const run = Number(id);
  if (!/^\d{1,15}$/.test(id)) throw pinakesError('input.invalid', { reason: `${id} is not the number of a run` });
  const values = valuesOf(c, [ACTION, { name: 'limit', label: '' }]);
  const { action: kind } = values;
  const input = { run: id, ...(kind && { kind }), ...rangeOf(c, EVENT_LIMIT) };
  const { events, cursors } = await read(c, 'list_events', input);
  const newer = await read(c, 'crawl_status', { after: run, limit: 1 });
  const older = run > 1 ? await read(c, 'crawl_status', { before: run, limit: 1 }) : { runs: [] };
  const near: Content = [
    link('/queues/ssr', 'All queues'),
    ...newer.runs.map((one) => html` ${link(`/queues/${one.run}/ssr`, `Newer queue: run ${one.run}`)}`),
    ...older.runs.map((one) => html` ${link(`/queues/${one.run}/ssr`, `Older queue: run ${one.run}`)}`),
  ];
  const view = { path: `/queues/${id}/ssr`, columns: EVENT_COLUMNS, filters: [ACTION], values };
  const content = html`<p>${near}</p>
    ${listView({ ...view, items: events, pager: pagerOf(cursors) })}`;
  return c.html(htmlPage(`Queue of run ${id}`, content));
}

function analysisContent(
  run: ActionOutput<'show_analysis'>['run'],
  events: ActionOutput<'show_analysis'>['events'],
): Content {
  const fields: ReadonlyArray<readonly [string, Content]> = [
    ['Status', html`<span class="${run.status}">${run.status}</span>`],
    ['Stage', run.stage],
    ['Started', run.startedAt],
    ['Ended', run.endedAt],
    ['Duration', `${(run.durationMs / 1000).toFixed(1)} s`],
    ['Analysis version', run.analysisVersion],
    ['Progress', run.lastProgress === null ? null : JSON.stringify(run.lastProgress)],
    ['Summary', highlights(run.summary)],
    ['Steps', JSON.stringify(run.summary?.['steps'] ?? {})],
    ['Error', run.error],
  ];
  const rows = fields.map(
    ([name, value]) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td>${value}</td>
      </tr>`,
  );
  const log = events.map(
    ({ ts, stage, message, details }) =>
      html`<tr>
        <td>${ts}</td>
        <td>${stage}</td>
        <td>${message}</td>
        <td>${details === null ? null : JSON.stringify(details)}</td>
      </tr>`,
  );
  return html`<p>
      ${link('/analysis/ssr', 'All analysis runs')} · ${link(pathWith(`/api/analysis/${run.id}`, {}), 'JSON')}
    </p>
    <table>
      <tbody>
        ${rows}
      </tbody>
    </table>
    <h2>Events</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Stage</th>
          <th scope="col">Message</th>
          <th scope="col">Details</th>
        </tr>
      </thead>
      <tbody>
        ${log}
      </tbody>
    </table>`;
}

function highlights(summary: ActionOutput<'show_analysis'>['run']['summary']): string {
  const lines = summary?.['analysisHighlights'];
  return Array.isArray(lines) ? lines.join(', ') : '';
}

function valuesOf(c: Context<Env>, filters: readonly ListFilter[]): Record<string, string> {
  const entries = filters.map(({ name }) => [name, c.req.query(name) ?? ''] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

function numberOf(c: Context<Env>, name: string): number | undefined {
  const text = c.req.query(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function rangeOf(c: Context<Env>, limit: number): { before?: number; after?: number; limit: number } {
  const [before, after] = [numberOf(c, 'before'), numberOf(c, 'after')];
  return { limit: Math.min(500, numberOf(c, 'limit') || limit), ...(before && { before }), ...(after && { after }) };
}

function pagerOf({ nextBefore, prevAfter }: Cursors): ListPager {
  return {
    newer: prevAfter === null ? null : { after: prevAfter },
    older: nextBefore === null ? null : { before: nextBefore },
  };
}
