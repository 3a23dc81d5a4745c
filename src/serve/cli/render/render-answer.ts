// An action's answer for a person at a terminal.

import type { ReasonView } from '../../../actions/crawl-status.ts';
import type { RunView } from '../../../actions/run-view.ts';
import { renderPreview, type PreviewAnswer } from './render-preview.ts';
import { renderEndedRun, renderReasons, renderRuns } from './render-run.ts';
import { renderExport, type ExportAnswer } from './render-export.ts';
import { renderOutline, renderSymbols, type OutlineAnswer, type SymbolsAnswer } from './render-outline.ts';
import { renderPassages, type PassagesAnswer } from './render-passages.ts';

type Render = (answer: never) => string;

const renderers: Readonly<Record<string, Render>> = {
  add_source: ({ source, run }: { source: string; run: number }) =>
    `Added ${source}. Run ${run} is queued: pinakes worker crawls it, pinakes status shows it.\n`,
  crawl_status: ({ runs, reasons }: { runs: RunView[]; reasons: ReasonView[] }) =>
    renderRuns(runs) + renderReasons(reasons),
  export_source: (answer: ExportAnswer) => renderExport(answer),
  list_sources: renderSources,
  outline: (answer: OutlineAnswer) => renderOutline(answer),
  preview_page: (answer: PreviewAnswer) => renderPreview(answer),
  run: renderEndedRun,
  search_docs: (answer: PassagesAnswer) => renderPassages(answer),
  symbols: (answer: SymbolsAnswer) => renderSymbols(answer),
  verify_store: renderVerdict,
};

export function renderAnswer(action: string, answer: unknown): string {
  const render = renderers[action];
  return render === undefined ? `${JSON.stringify(answer, null, 2)}\n` : render(answer as never);
}

interface SourcesAnswer {
  readonly sources: ReadonlyArray<{
    source: string;
    start: string;
    versions: ReadonlyArray<{ version: string; pages: number }>;
  }>;
}

function renderSources({ sources }: SourcesAnswer): string {
  if (sources.length === 0) return 'The library is empty. Begin with: pinakes add https://docs.example.dev --wait\n';
  return sources
    .flatMap(({ source, start, versions }) =>
      versions.map(
        ({ version, pages }) => `${source}${version === '' ? '' : ` ${version}`}  ${pages} pages  ${start}\n`,
      ),
    )
    .join('');
}

interface VerifyAnswer {
  readonly engine: string;
  readonly violations: ReadonlyArray<{ invariant: string; what: string; row: string }>;
}

function renderVerdict({ engine, violations }: VerifyAnswer): string {
  if (violations.length === 0) return `All invariants hold (${engine}).\n`;
  return violations.map(({ invariant, what, row }) => `${invariant}  ${what}: ${row}\n`).join('');
}
