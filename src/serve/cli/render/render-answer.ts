// Renders the result of an action for a terminal.

import type { z } from 'zod';
import type { ActionName, actions } from '../../../actions/actions.ts';
import type { AppliedSources } from '../../../actions/apply-definitions.ts';
import { cleanText } from '../../../core/extract/decode/clean-text.ts';
import { renderChanges, renderWebhooks } from './render-changes.ts';
import { formatBytes, pluralize } from '../../../core/text/plural.ts';
import { TERMINAL } from '../../text/readers.table.ts';
import { diffText } from '../../text/diff-text.ts';
import { statusText } from '../../text/run-text.ts';
import type { FlagAnswer } from '../cli-flags.ts';
import { PLAIN_OUTPUT, type OutputFormat } from './columns.ts';
import { renderCoverage } from './render-coverage.ts';
import { renderDefault } from './render-default.ts';
import {
  renderBacklinks,
  renderGrowth,
  renderProjects,
  renderStats,
  renderRevisions,
  renderPage,
  renderPageList,
  renderSources,
  renderHealth,
} from './render-library.ts';
import { renderChunks, renderOutline, renderPreview, renderRead, renderSymbols } from './render-pages.ts';
import { renderPassages } from './render-passages.ts';
import { renderFollowedRun, renderPlan } from './render-run.ts';
import {
  renderFailures,
  renderEvents,
  renderHosts,
  renderAnalyses,
  renderAnalysis,
  renderMilestones,
  renderProblemList,
  renderSamples,
  renderUrl,
  renderUrls,
} from './render-run-lists.ts';

type Render<Result> = (result: Result, format: OutputFormat, input: TypedInput) => string;

/** What the user typed. */
export type TypedInput = Readonly<Record<string, unknown>>;

type ActionRenderers = { readonly [Name in ActionName]?: Render<ActionResult<Name>> };
type ActionResult<Name extends ActionName> = z.output<(typeof actions)[Name]['output']>;

/** Any other action gets the default rendering. */
const renderers: ActionRenderers & Readonly<Record<FlagAnswer['name'], Render<never>>> = {
  create_webhook: ({ secret }) => `${secret}\n`,
  list_webhooks: renderWebhooks,
  delete_webhook: ({ removed }) => `Removed webhook ${removed}.\n`,
  test_webhook: ({ name, isAccepted, detail }) => `${name} ${isAccepted ? 'works' : 'does not work'}: ${detail}.\n`,
  add_source: ({ source, run }) => `Added ${source} and started run ${run}. Show progress: pinakes status ${run}\n`,
  agents_file: ({ file, sources, outcome }: { file: string; sources: number; outcome: string }) =>
    outcome === 'unchanged'
      ? `${file} is up to date: ${pluralize(sources, 'source')}.\n`
      : `${outcome === 'created' ? 'Created' : 'Updated'} ${file} with ${pluralize(sources, 'source')}.\n`,
  write_agents_md: ({ text }) => `${text}\n`,
  llms_file: ({ file, pages, outcome }: { file: string; pages: number; outcome: string }) =>
    outcome === 'unchanged'
      ? `${file} is up to date: ${pluralize(pages, 'page')}.\n`
      : `${outcome === 'created' ? 'Created' : 'Updated'} ${file} with ${pluralize(pages, 'page')}.\n`,
  write_llms_txt: ({ text }) => text,
  apply_definitions: renderApplied,
  list_backlinks: renderBacklinks,
  backup_library: ({ out, sources, pages }) =>
    `Wrote ${pluralize(sources, 'source')} with ${pluralize(pages, 'page')} to ${out}.\n`,
  control_run: renderControl,
  crawl_status: (status) => `${statusText(status, TERMINAL)}\n`,
  create_token: ({ token }) => `${token}\n`,
  rotate_token: ({ token }) => `${token}\n`,
  edit_source: renderEdit,
  export_source: renderExport,
  export_definitions: ({ sources, out }) =>
    out === null
      ? `${JSON.stringify({ sources }, null, 2)}\n`
      : `Wrote ${pluralize(sources.length, 'source')} to ${out}.\n`,
  import_definitions: ({ added, existing }) =>
    `Added ${pluralize(added.length, 'source')} and started ${added.length === 1 ? 'its run' : 'their runs'}; ${existing.length} already existed.\n`,
  compare_versions: (diff: Parameters<typeof diffText>[0]) => `${diffText(diff, { isFenced: false })}\n`,
  show_coverage: renderCoverage,
  show_growth: renderGrowth,
  show_stats: renderStats,
  list_changes: renderChanges,
  list_chunks: renderChunks,
  list_events: renderEvents,
  list_hosts: renderHosts,
  list_pages: renderPageList,
  list_presets: renderPresets,
  start_analysis: ({ runId }) => `Started ${runId}. Show its progress: pinakes analysis ${runId}\n`,
  list_analyses: renderAnalyses,
  show_analysis: renderAnalysis,
  list_milestones: renderMilestones,
  list_problems: renderProblemList,
  list_projects: renderProjects,
  list_samples: renderSamples,
  list_sources: renderSources,
  list_tokens: renderTokens,
  list_urls: renderUrls,
  outline: renderOutline,
  list_revisions: renderRevisions,
  plan_source: renderPlan,
  preview_page: renderPreview,
  read_docs: renderRead,
  list_failures: renderFailures,
  recrawl_source: ({ source, run }) => `Started run ${run} of ${source}. Show progress: pinakes status ${run}\n`,
  reindex_source: ({ sources, unindexed }) =>
    sources.length === 0
      ? 'The library is empty, so there is nothing to index.\n'
      : `${sources.join(', ')}: ${pluralize(unindexed, 'page')} ${unindexed === 1 ? 'is' : 'are'} waiting for the indexer. Show how many are left: pinakes status\n`,
  remove_source: ({ removed, packages, pages, chunks }) =>
    `Removed ${packages === undefined ? removed : `${pluralize(packages.length, 'package')} of ${removed}`}: ${pluralize(pages, 'page')} with ${pluralize(chunks, 'chunk')}.\n`,
  delete_token: ({ revoked }) => `Revoked token ${revoked}.\n`,
  run: renderFollowedRun,
  search_docs: renderPassages,
  show_page: renderPage,
  show_health: renderHealth,
  list_symbols: renderSymbols,
  show_url: renderUrl,
  verify_store: renderVerify,
  install_entries: ({ entries }) =>
    entries.map(({ source, version, state, run }) => `${source} ${version}: ${installState(state, run)}\n`).join(''),
  verify_catalog: renderCatalogs,
};

/** Results that are files: they are printed as they are. */
const EXACT: ReadonlySet<string> = new Set(['export_definitions']);

export function renderResult(
  action: string,
  result: unknown,
  format: OutputFormat = PLAIN_OUTPUT,
  input: TypedInput = {},
): string {
  const shown = EXACT.has(action) ? result : cleanStrings(result);
  const render = (renderers as Readonly<Record<string, Render<never>>>)[action];
  return render === undefined ? renderDefault(shown, format) : render(shown as never, format, input);
}

/** Titles and texts come from crawled sites, perhaps by way of another server: none may control the terminal. */
function cleanStrings(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanStrings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleanStrings(one)]));
}

/** Notes for the user in addition to the result. */
const notices: ActionRenderers = {
  add_source: ({ notes = [] }) => notes.map((note) => `Note: ${note}.\n`).join(''),
  create_webhook: ({ name, url }) =>
    `Changes are sent to ${url} (webhook ${name}). This is its secret, with which its messages are signed. It is shown only once.\n`,
  create_token: ({ name, role }) => `This is the ${role} token ${name}. It is shown only once.\n`,
  rotate_token: ({ name }) => `This is the new secret of the token ${name}. It is shown only once.\n`,
};

export function renderNotices(action: string, result: unknown): string {
  const render = (notices as Readonly<Record<string, Render<never>>>)[action];
  return render?.(cleanStrings(result) as never, PLAIN_OUTPUT, {}) ?? '';
}

function renderControl({ run, state, escalatesInMs }: ActionResult<'control_run'>): string {
  if (escalatesInMs === undefined) return `Run ${run} is ${state}.\n`;
  return `Run ${run} is ${state}. URLs still in flight in ${Number((escalatesInMs / 1000).toFixed(1))} s are dropped.\n`;
}

function installState(state: string, run: number | null): string {
  if (state === 'current') return 'was there already';
  return run === null ? state : `has no bundle; run ${run} reads it here. Show progress: pinakes status ${run}`;
}

function renderCatalogs({ catalogs, violations }: ActionResult<'verify_catalog'>): string {
  const lines = catalogs.flatMap(({ location, version, expires, entries }) => [
    `${location}: version ${version}, expires ${expires}, ${entries.length === 1 ? '1 entry' : `${entries.length} entries`}`,
    ...entries.map((entry) => {
      const license = entry.license ?? 'no license';
      return `  ${entry.name} ${entry.version}  ${license}${entry.hasBundle ? '' : ', without a bundle'}`;
    }),
  ]);
  const found = violations.length === 0 ? ['All signatures are valid.'] : violations;
  return `${[...lines, ...found].join('\n')}\n`;
}

function renderPresets({ presets }: ActionResult<'list_presets'>): string {
  const widest = Math.max(...presets.map(({ name }) => name.length));
  const lines = presets.map(({ name, description, settings }) => {
    const more = Object.keys(settings).length === 0 ? '' : `  ${JSON.stringify(settings)}`;
    return `${name.padEnd(widest)}  ${description}${more}\n`;
  });
  return lines.join('');
}

function renderEdit({ source, changed, excludedPages, nextRunAt }: ActionResult<'edit_source'>): string {
  const did = changed.length === 0 ? `${source} is unchanged.` : `${source}: changed ${changed.join(', ')}.`;
  const leaves =
    excludedPages === 0 ? '' : ` ${pluralize(excludedPages, 'page')} outside the new rules; the next run removes them.`;
  const next = nextRunAt === null ? `Start a run: pinakes recrawl ${source}` : `Next run: ${nextRunAt}`;
  return `${did}${leaves}\n${next}\n`;
}

type VerifyResult = ActionResult<'verify_store'>;

function renderVerify({ database, violations, skipped }: VerifyResult): string {
  const notChecked = skipped.map((what) => `Not checked: ${what}.\n`).join('');
  if (violations.length === 0) return `All invariants hold and nothing is damaged (${database}).\n${notChecked}`;
  const lines = violations.map(({ invariant, what, row }) => `${invariant}  it does not hold that ${what}: ${row}\n`);
  return `${lines.join('')}${notChecked}${repairAdvice(database, violations)}`;
}

/** A restored library has an intact index, so the other repairs are needed only without a backup. */
function repairAdvice(database: string, violations: VerifyResult['violations']): string {
  const remedies = new Set(violations.map(({ remedy }) => remedy));
  if (remedies.has('restore'))
    return database === 'sqlite'
      ? 'The database file is damaged. Restore a backup: pinakes restore FILE\nWithout one, move pinakes.db out of the data directory and add the sources again.\n'
      : 'Files of PostgreSQL are damaged. Rebuild a damaged index with REINDEX, and restore a damaged table with pg_restore.\n';
  const reindex = remedies.has('reindex') ? 'The search index is damaged. Rebuild it: pinakes reindex --all\n' : '';
  const other = remedies.has(null)
    ? 'Fetch the affected source again: pinakes recrawl SOURCE --mode full --wait. If that does not help, please report it.\n'
    : '';
  return reindex + other;
}

function withRun({ source, startUrl, run }: AppliedSources['added'][number]): string {
  return `${source}  ${startUrl}${run === null ? '' : ` (run ${run})`}\n`;
}

/** What was done, or with a dry run would be, one line for each source. */
function renderApplied({ isDryRun, added, changed, replaced, removed, unchanged, undeclared }: AppliedSources): string {
  const lines = [
    ...added.map((one) => `add      ${withRun(one)}`),
    ...changed.map(({ source, settings }) => `change   ${source}: ${settings.join(', ')}\n`),
    ...replaced.map((one) => `replace  ${withRun(one)}`),
    ...removed.map((source) => `remove   ${source}\n`),
    ...undeclared.map((source) => `keep     ${source}, which the file does not have; --prune removes it\n`),
  ];
  const same = `${pluralize(unchanged.length, 'source')} unchanged.`;
  return `${lines.join('')}${same}${isDryRun ? ' Nothing was done: this is a dry run.' : ''}\n`;
}

type ExportResult = ActionResult<'export_source'>;

/** Secrets come first, because users do not read below a success message. */
function renderExport(result: ExportResult): string {
  const { out, source, indexId, files, chunks, tokens, bytes } = result;
  const size = formatBytes(bytes);
  return `${secretWarning(result)}Exported ${source} to ${out}\n  ${pluralize(files, 'file')}, ${pluralize(chunks, 'chunk')}, about ${tokens} tokens; ${size}\n  index ${indexId}\n${leftOutFiles(result)}`;
}

function leftOutFiles({ leftOut: { found, files } }: ExportResult): string {
  if (found === 0) return '';
  const shown = files.map(({ path, message }) => `    ${path}: ${message}\n`).join('');
  const more = found > files.length ? `    and ${found - files.length} more\n` : '';
  return `  ${pluralize(found, 'file')} left out:\n${shown}${more}`;
}

function secretWarning({ secrets: { found, locations } }: ExportResult): string {
  if (found === 0) return '';
  const shown = locations.map(({ rule, path, line }) => `  ${path}:${line} (${rule})\n`).join('');
  const more = found > locations.length ? `  and ${found - locations.length} more\n` : '';
  return `Warning: the export contains ${found === 1 ? 'a possible secret' : `${found} possible secrets`}. Review it before you share it.\n${shown}${more}`;
}

function renderTokens({ tokens, nextCursor }: ActionResult<'list_tokens'>): string {
  if (tokens.length === 0) return 'No tokens.\n';
  const lines = tokens.map(({ name, role, sources, createdAt, expiresAt, lastUsedAt }) =>
    [
      name,
      role,
      sources?.join(' ') ?? 'all sources',
      `since ${createdAt}`,
      ...(expiresAt === null ? [] : [`until ${expiresAt}`]),
      lastUsedAt === null ? 'not used' : `used ${lastUsedAt}`,
    ].join('  '),
  );
  const more = nextCursor === null ? '' : `More: pinakes tokens list --cursor ${nextCursor}\n`;
  return `${lines.join('\n')}\n${more}`;
}
