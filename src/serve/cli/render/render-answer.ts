// Renders the result of an action for a terminal.

import type { AppliedSources } from '../../../actions/apply-sources.ts';
import { cleanText } from '../../../core/extract/decode/clean-text.ts';
import { renderChanges, renderWebhooks } from './render-changes.ts';
import { pluralize } from '../../../core/model/plural.ts';
import { PLAIN, type OutputForm } from './columns.ts';
import {
  renderBacklinks,
  renderGrowth,
  renderHealth,
  renderHistory,
  renderPage,
  renderPageList,
  renderSources,
  renderSystemHealth,
} from './render-library.ts';
import { renderChunks, renderOutline, renderPreview, renderRead, renderSymbols } from './render-pages.ts';
import { renderPassages } from './render-passages.ts';
import { formatBytes, renderFollowedRun, renderPlan, renderStatus } from './render-run.ts';
import {
  renderErrors,
  renderEvents,
  renderHosts,
  renderMilestones,
  renderProblemList,
  renderSamples,
  renderUrlDetails,
  renderUrls,
} from './render-run-lists.ts';

type Render = (result: never, form: OutputForm, input: ActionInput) => string;

/** What the user asked for. */
export type ActionInput = Readonly<Record<string, unknown>>;

const renderers: Readonly<Record<string, Render>> = {
  add_webhook: ({ secret }: { secret: string }) => `${secret}\n`,
  list_webhooks: renderWebhooks,
  remove_webhook: ({ removed }: { removed: string }) => `Removed webhook ${removed}.\n`,
  test_webhook: ({ name, accepted, detail }: { name: string; accepted: boolean; detail: string }) =>
    `${name} ${accepted ? 'works' : 'does not work'}: ${detail}.\n`,
  add_source: ({ source, run }: { source: string; run: number }) =>
    `Added ${source} and started run ${run}. Show progress: pinakes status ${run}\n`,
  agents_file: ({ file, sources, outcome }: { file: string; sources: number; outcome: string }) =>
    outcome === 'unchanged'
      ? `${file} is up to date: ${pluralize(sources, 'source')}.\n`
      : `${outcome === 'created' ? 'Created' : 'Updated'} ${file} with ${pluralize(sources, 'source')}.\n`,
  agents_md: ({ text }: { text: string }) => `${text}\n`,
  llms_file: ({ file, pages, outcome }: { file: string; pages: number; outcome: string }) =>
    outcome === 'unchanged'
      ? `${file} is up to date: ${pluralize(pages, 'page')}.\n`
      : `${outcome === 'created' ? 'Created' : 'Updated'} ${file} with ${pluralize(pages, 'page')}.\n`,
  llms_txt: ({ text }: { text: string }) => text,
  apply_sources: renderApplied,
  backlinks: renderBacklinks,
  backup_library: ({ out, sources, pages }: { out: string; sources: number; pages: number }) =>
    `Wrote ${pluralize(sources, 'source')} with ${pluralize(pages, 'page')} to ${out}.\n`,
  control_run: renderControl,
  crawl_status: renderStatus,
  create_token: ({ token }: { token: string }) => `${token}\n`,
  edit_source: renderEdit,
  export_source: renderExport,
  export_sources: ({ sources, out }: { sources: readonly object[]; out: string | null }) =>
    out === null
      ? `${JSON.stringify({ sources }, null, 2)}\n`
      : `Wrote ${pluralize(sources.length, 'source')} to ${out}.\n`,
  import_sources: ({ added, existing }: { added: readonly object[]; existing: readonly string[] }) =>
    `Added ${pluralize(added.length, 'source')} and started ${added.length === 1 ? 'its run' : 'their runs'}; ${existing.length} already existed.\n`,
  library_growth: renderGrowth,
  library_health: renderHealth,
  list_changes: renderChanges,
  list_chunks: renderChunks,
  list_events: renderEvents,
  list_hosts: renderHosts,
  list_pages: renderPageList,
  list_presets: renderPresets,
  list_milestones: renderMilestones,
  list_problems: renderProblemList,
  list_samples: renderSamples,
  list_sources: renderSources,
  list_tokens: ({ tokens }: { tokens: { name: string; role: string; createdAt: string }[] }) =>
    tokens.map(({ name, role, createdAt }) => `${name}  ${role}  since ${createdAt}\n`).join('') || 'No tokens.\n',
  list_urls: renderUrls,
  outline: renderOutline,
  page_history: renderHistory,
  plan_source: renderPlan,
  preview_page: renderPreview,
  read_docs: renderRead,
  recent_errors: renderErrors,
  recrawl_source: ({ source, run }: { source: string; run: number }) =>
    `Started run ${run} of ${source}. Show progress: pinakes status ${run}\n`,
  reindex_source: ({ sources, unindexed }: { sources: readonly string[]; unindexed: number }) =>
    sources.length === 0
      ? 'The library is empty, so there is nothing to index.\n'
      : `${sources.join(', ')}: ${pluralize(unindexed, 'page')} ${unindexed === 1 ? 'is' : 'are'} waiting for the indexer. Show how many are left: pinakes status\n`,
  remove_source: ({ removed, pages, chunks }: { removed: string; pages: number; chunks: number }) =>
    `Removed ${removed}: ${pluralize(pages, 'page')} with ${pluralize(chunks, 'chunk')}.\n`,
  revoke_token: ({ revoked }: { revoked: string }) => `Revoked token ${revoked}.\n`,
  run: renderFollowedRun,
  search_docs: renderPassages,
  show_page: renderPage,
  system_health: renderSystemHealth,
  symbols: renderSymbols,
  url_details: renderUrlDetails,
  verify_store: renderVerify,
};

/** Results that are files: they are printed as they are. */
const EXACT: ReadonlySet<string> = new Set(['export_sources']);

export function renderResult(
  action: string,
  result: unknown,
  form: OutputForm = PLAIN,
  input: ActionInput = {},
): string {
  const render = renderers[action];
  if (render === undefined) return `${JSON.stringify(result, null, 2)}\n`;
  return render((EXACT.has(action) ? result : cleanStrings(result)) as never, form, input);
}

/** Titles and texts come from crawled sites, perhaps by way of another server: none may control the terminal. */
function cleanStrings(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanStrings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleanStrings(one)]));
}

/** What the user should know in addition to the result. */
const notices: Readonly<Record<string, Render>> = {
  add_source: ({ notes = [] }: { notes?: readonly string[] }) => notes.map((note) => `Note: ${note}.\n`).join(''),
  add_webhook: ({ name, url }: { name: string; url: string }) =>
    `Changes are sent to ${url} (webhook ${name}). This is its secret, with which its messages are signed. It is shown only once.\n`,
  create_token: ({ name, role }: { name: string; role: string }) =>
    `This is the ${role} token ${name}. It is shown only once.\n`,
};

export function renderNotices(action: string, result: unknown): string {
  return notices[action]?.(cleanStrings(result) as never, PLAIN, {}) ?? '';
}

interface ControlResult {
  readonly run: number;
  readonly state: string;
  readonly escalatesInMs?: number;
}

function renderControl({ run, state, escalatesInMs }: ControlResult): string {
  if (escalatesInMs === undefined) return `Run ${run} is ${state}.\n`;
  return `Run ${run} is ${state}. URLs still in flight in ${Number((escalatesInMs / 1000).toFixed(1))} s are dropped.\n`;
}

interface PresetsResult {
  readonly presets: ReadonlyArray<{ name: string; description: string; settings: object }>;
}

function renderPresets({ presets }: PresetsResult): string {
  const widest = Math.max(...presets.map(({ name }) => name.length));
  const lines = presets.map(({ name, description, settings }) => {
    const more = Object.keys(settings).length === 0 ? '' : `  ${JSON.stringify(settings)}`;
    return `${name.padEnd(widest)}  ${description}${more}\n`;
  });
  return lines.join('');
}

interface EditResult {
  readonly source: string;
  readonly changed: readonly string[];
  readonly excludedPages: number;
  readonly nextRunAt: string | null;
}

function renderEdit({ source, changed, excludedPages, nextRunAt }: EditResult): string {
  const did = changed.length === 0 ? `${source} is unchanged.` : `${source}: changed ${changed.join(', ')}.`;
  const leaves =
    excludedPages === 0 ? '' : ` ${pluralize(excludedPages, 'page')} outside the new rules; the next run removes them.`;
  const next = nextRunAt === null ? `Start a run: pinakes recrawl ${source}` : `Next run: ${nextRunAt}`;
  return `${did}${leaves}\n${next}\n`;
}

interface VerifyResult {
  readonly engine: string;
  readonly violations: ReadonlyArray<{
    invariant: string;
    what: string;
    row: string;
    remedy: 'reindex' | 'restore' | null;
  }>;
  readonly skipped: readonly string[];
}

function renderVerify({ engine, violations, skipped }: VerifyResult): string {
  const notChecked = skipped.map((what) => `Not checked: ${what}.\n`).join('');
  if (violations.length === 0) return `All invariants hold and nothing is damaged (${engine}).\n${notChecked}`;
  const lines = violations.map(({ invariant, what, row }) => `${invariant}  it does not hold that ${what}: ${row}\n`);
  return `${lines.join('')}${notChecked}${repairAdvice(engine, violations)}`;
}

/** A restored library has an intact index, so the other repairs are needed only without a backup. */
function repairAdvice(engine: string, violations: VerifyResult['violations']): string {
  const remedies = new Set(violations.map(({ remedy }) => remedy));
  if (remedies.has('restore'))
    return engine === 'sqlite'
      ? 'The database file is damaged. Restore a backup: pinakes restore FILE\nWithout one, move pinakes.db out of the data directory and add the sources again.\n'
      : 'Files of PostgreSQL are damaged. Rebuild a damaged index with REINDEX, and restore a damaged table with pg_restore.\n';
  const reindex = remedies.has('reindex') ? 'The search index is damaged. Rebuild it: pinakes reindex --all\n' : '';
  const other = remedies.has(null)
    ? 'Fetch the affected source again: pinakes recrawl SOURCE --mode full --wait. If that does not help, please report it.\n'
    : '';
  return reindex + other;
}

function withRun({ source, start, run }: AppliedSources['added'][number]): string {
  return `${source}  ${start}${run === null ? '' : ` (run ${run})`}\n`;
}

/** What was done, or with a dry run would be, one line for each source. */
function renderApplied({ dryRun, added, changed, replaced, removed, unchanged, undeclared }: AppliedSources): string {
  const lines = [
    ...added.map((one) => `add      ${withRun(one)}`),
    ...changed.map(({ source, settings }) => `change   ${source}: ${settings.join(', ')}\n`),
    ...replaced.map((one) => `replace  ${withRun(one)}`),
    ...removed.map((source) => `remove   ${source}\n`),
    ...undeclared.map((source) => `keep     ${source}, which the file does not have; --prune removes it\n`),
  ];
  const same = `${pluralize(unchanged.length, 'source')} unchanged.`;
  return `${lines.join('')}${same}${dryRun ? ' Nothing was done: this is a dry run.' : ''}\n`;
}

interface ExportResult {
  readonly out: string;
  readonly source: string;
  readonly indexId: string;
  readonly files: number;
  readonly chunks: number;
  readonly tokens: number;
  readonly bytes: number;
  readonly secrets: {
    readonly found: number;
    readonly locations: ReadonlyArray<{ readonly rule: string; readonly path: string; readonly line: number }>;
  };
}

/** Secrets come first, because nobody reads below a success message. */
function renderExport(result: ExportResult): string {
  const { out, source, indexId, files, chunks, tokens, bytes } = result;
  const size = formatBytes(bytes);
  return `${secretWarning(result)}Exported ${source} to ${out}\n  ${pluralize(files, 'file')}, ${pluralize(chunks, 'chunk')}, about ${tokens} tokens; ${size}\n  index ${indexId}\n`;
}

function secretWarning({ secrets: { found, locations } }: ExportResult): string {
  if (found === 0) return '';
  const shown = locations.map(({ rule, path, line }) => `  ${path}:${line} (${rule})\n`).join('');
  const more = found > locations.length ? `  and ${found - locations.length} more\n` : '';
  return `Warning: the export contains ${found === 1 ? 'a possible secret' : `${found} possible secrets`}. Review it before you share it.\n${shown}${more}`;
}
