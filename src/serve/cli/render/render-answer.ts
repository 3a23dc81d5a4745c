// An action's answer for a person at a terminal.

import type { ProblemView } from '../../../actions/list-problems.ts';
import { renderPreview, type PreviewAnswer } from './render-preview.ts';
import { renderEvents, renderUrls } from './render-history.ts';
import { renderPlan } from './render-plan.ts';
import { renderFollowedRun, renderProblems, renderStatus } from './render-run.ts';
import { renderExport, type ExportAnswer } from './render-export.ts';
import { renderOutline, renderSymbols, type OutlineAnswer, type SymbolsAnswer } from './render-outline.ts';
import { renderPassages, type PassagesAnswer } from './render-pages.ts';
import { renderRead } from './render-read.ts';

type Render = (answer: never) => string;

const renderers: Readonly<Record<string, Render>> = {
  add_source: ({ source, run }: { source: string; run: number }) =>
    `Added ${source}. Run ${run} has begun: pinakes status ${run} shows it.\n`,
  backup_library: ({ out, sources, pages }: { out: string; sources: number; pages: number }) =>
    `Wrote ${sources} sources with ${pages} pages to ${out}.\n`,
  control_run: ({ run, state }: { run: number; state: string }) => `Run ${run} is ${state}.\n`,
  crawl_status: renderStatus,
  create_token: ({ name, scope, token }: { name: string; scope: string; token: string }) =>
    `${token}\nThis is the ${scope} token ${name}. It is shown only now.\n`,
  edit_source: renderEdit,
  export_source: (answer: ExportAnswer) => renderExport(answer),
  export_sources: ({ sources, out }: { sources: readonly object[]; out: string | null }) =>
    out === null ? `${JSON.stringify({ sources }, null, 2)}\n` : `Wrote ${sources.length} sources to ${out}.\n`,
  import_sources: ({ added, kept }: { added: readonly object[]; kept: readonly string[] }) =>
    `Added ${added.length} sources, whose runs have begun; ${kept.length} were there.\n`,
  list_events: renderEvents,
  list_presets: renderPresets,
  list_problems: ({ problems }: { problems: ProblemView[] }) =>
    problems.length === 0 ? 'No problem.\n' : renderProblems(problems),
  list_sources: renderSources,
  list_tokens: ({ tokens }: { tokens: { name: string; scope: string; createdAt: string }[] }) =>
    tokens.map(({ name, scope, createdAt }) => `${name}  ${scope}  since ${createdAt}\n`).join('') || 'No token.\n',
  list_urls: renderUrls,
  outline: (answer: OutlineAnswer) => renderOutline(answer),
  plan_source: renderPlan,
  preview_page: (answer: PreviewAnswer) => renderPreview(answer),
  read_docs: renderRead,
  recrawl_source: ({ source, run }: { source: string; run: number }) =>
    `Run ${run} of ${source} has begun: pinakes status ${run} shows it.\n`,
  reindex_source: ({ sources, unindexed }: { sources: readonly string[]; unindexed: number }) =>
    `${sources.join(', ')}: ${unindexed} pages wait for the indexer. pinakes status shows how many are left.\n`,
  remove_source: ({ removed }: { removed: string }) => `Removed ${removed}.\n`,
  revoke_token: ({ revoked }: { revoked: string }) => `Token ${revoked} is taken back.\n`,
  run: renderFollowedRun,
  search_docs: (answer: PassagesAnswer) => renderPassages(answer),
  symbols: (answer: SymbolsAnswer) => renderSymbols(answer),
  verify_store: renderVerdict,
};

export function renderAnswer(action: string, answer: unknown): string {
  const render = renderers[action];
  return render === undefined ? `${JSON.stringify(answer, null, 2)}\n` : render(answer as never);
}

interface PresetsAnswer {
  readonly presets: ReadonlyArray<{ name: string; looksIn: readonly string[]; settings: object }>;
}

function renderPresets({ presets }: PresetsAnswer): string {
  const widest = Math.max(...presets.map(({ name }) => name.length));
  const lines = presets.map(({ name, looksIn, settings }) => {
    const more = Object.keys(settings).length === 0 ? '' : `  ${JSON.stringify(settings)}`;
    return `${name.padEnd(widest)}  ${looksIn.join(', ')}${more}\n`;
  });
  return lines.join('');
}

interface SourcesAnswer {
  readonly sources: ReadonlyArray<{
    source: string;
    start: string;
    versions: ReadonlyArray<{ version: string; pages: number }>;
    nextRunAt: string | null;
  }>;
}

function renderSources({ sources }: SourcesAnswer): string {
  if (sources.length === 0) return 'The library is empty. Begin with: pinakes add https://docs.example.dev --wait\n';
  return sources
    .flatMap(({ source, start, versions, nextRunAt }) => {
      const next = nextRunAt === null ? '' : `  next run ${nextRunAt}`;
      return versions.map(
        ({ version, pages }) =>
          `${source}${version === '' ? '' : ` ${version}`}  ${counted(pages, 'page')}  ${start}${next}\n`,
      );
    })
    .join('');
}

interface EditAnswer {
  readonly source: string;
  readonly changed: readonly string[];
  readonly outside: number;
  readonly nextRunAt: string | null;
}

function renderEdit({ source, changed, outside, nextRunAt }: EditAnswer): string {
  const did = changed.length === 0 ? `${source} is as it was.` : `${source}: changed ${changed.join(', ')}.`;
  const leaves =
    outside === 0 ? '' : ` ${counted(outside, 'page')} outside its rules; the next run removes what they leave out.`;
  const next = nextRunAt === null ? `pinakes recrawl ${source} starts a run` : `The next run starts at ${nextRunAt}`;
  return `${did}${leaves}\n${next}.\n`;
}

function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

interface VerifyAnswer {
  readonly engine: string;
  readonly violations: ReadonlyArray<{ invariant: string; what: string; row: string }>;
}

function renderVerdict({ engine, violations }: VerifyAnswer): string {
  if (violations.length === 0) return `All invariants hold (${engine}).\n`;
  return violations.map(({ invariant, what, row }) => `${invariant}  ${what}: ${row}\n`).join('');
}
