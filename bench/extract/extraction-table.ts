// Renders the results of bench/extract/extraction.ts as a text table: a block per split and family, a line per extractor.

import { families } from '../../test/data/extraction/families.table.ts';
import type { Figures, Results } from './extraction-figures.ts';

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

type Pick = (measured: Results['extractors'][string]) => Figures | undefined;

function block(results: Results, title: string, pick: Pick, unseen: boolean): string[] {
  const first = unseen && results.firstUnseen !== null ? [['ours, first', results.firstUnseen] as const] : [];
  return [...first, ...Object.entries(results.extractors)].flatMap(([name, measured]) => {
    const figures = pick(measured);
    return figures === undefined ? [] : [row(title, name, cells(figures))];
  });
}

function cells(figures: Figures): string[] {
  return [
    String(figures.pages),
    counted(figures.codesExact, figures.codes),
    counted(figures.languagesKept, figures.languages),
    counted(figures.headingsFound, figures.headings),
    percent(figures.headingLevelShare),
    decimal(figures.precision),
    decimal(figures.recall),
    String(figures.nearEmpty),
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
