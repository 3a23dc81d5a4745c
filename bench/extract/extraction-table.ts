// Renders the results of bench/extract/extraction.ts as a text table: a block per split and family, a line per extractor.

import { families } from '../../test/data/extraction/families.table.ts';
import type { Metrics, Results } from './extraction-metrics.ts';

const COLUMNS = ['pages', 'code exact', 'language', 'heading', '(level)', 'precision', 'recall', 'near-empty'] as const;

const SYNTHETIC = ['vitepress', 'starlight', 'docusaurus'];

export function tableOf(results: Results): string {
  const lines = [row('', 'extractor', [...COLUMNS])];
  for (const split of ['tuned', 'unseen', 'synthetic']) {
    const names =
      split === 'synthetic' ? SYNTHETIC : families.filter((one) => one.split === split).map(({ name }) => name);
    const blocks = [
      block(results, split.toUpperCase(), (measured) => measured.splits[split], split === 'unseen'),
      ...names.map((name) => block(results, name, (measured) => measured.families[name], split === 'unseen')),
    ];
    for (const rows of blocks) if (rows.length > 0) lines.push('', ...rows);
  }
  return lines.join('\n');
}

type Pick = (measured: Results['extractors'][string]) => Metrics | undefined;

function block(results: Results, title: string, pick: Pick, unseen: boolean): string[] {
  const first = unseen && results.firstUnseen !== null ? [['ours, first', results.firstUnseen] as const] : [];
  return [...first, ...Object.entries(results.extractors)].flatMap(([name, measured]) => {
    const metrics = pick(measured);
    return metrics === undefined ? [] : [row(title, name, cells(metrics))];
  });
}

function cells(metrics: Metrics): string[] {
  return [
    String(metrics.pages),
    counted(metrics.codesExact, metrics.codes),
    counted(metrics.languagesKept, metrics.languages),
    counted(metrics.headingsFound, metrics.headings),
    percent(metrics.headingLevelShare),
    decimal(metrics.precision),
    decimal(metrics.recall),
    String(metrics.nearEmpty),
  ];
}

function row(title: string, name: string, values: readonly string[]): string {
  return [title.padEnd(14), name.padEnd(23), ...values.map((value) => value.padStart(17))].join(' ').trimEnd();
}

function counted(part: number, whole: number): string {
  return whole === 0 ? '–' : `${part}/${whole} ${percent(part / whole)}`;
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)}%`;
}

function decimal(share: number | null): string {
  return share === null ? '–' : share.toFixed(3);
}
