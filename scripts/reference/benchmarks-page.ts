// docs/benchmarks.md: every figure with the command, commit and date of its result.

import { BENCHMARKS, type Benchmark } from './benchmarks.table.ts';
import { inCode, page, table } from './markdown.ts';
import { readResult } from './result-reader.ts';

const ABOUT = `Measured on two shared processor cores with Node 24. Absolute times on such a machine vary by a fifth and more; where two programs are compared, they were measured
alternately in one run. Each figure is generated from its result, which a command of the project has written. Larger libraries, and what is extrapolated: [scale](scale.md). Other programs:
[comparison](comparison.md).`;

export function benchmarksPage(): string {
  const groups = BENCHMARKS.map(({ title, about, benchmarks }) =>
    [`## ${title}`, about, table(['measured', 'figures', 'result'], benchmarks.map(rowOf))].join('\n\n'),
  );
  return page('Benchmarks', ABOUT, ...groups, commandsOf(BENCHMARKS.flatMap(({ benchmarks }) => benchmarks)));
}

function rowOf({ result, what, format }: Benchmark): readonly string[] {
  return [what, format(readResult(result)), `[${result}](../bench/results/${result}.json)`];
}

function commandsOf(benchmarks: readonly Benchmark[]): string {
  const rows = [...new Set(benchmarks.map(({ result }) => result))].map((result) => {
    const origin = readResult(result);
    // The extractors were measured one by one: the first run on unseen pages is the one that counts.
    const at = result === 'extraction' ? 'firstUnseen/' : '';
    const [command = '', commit = '', date = ''] = ['command', 'commit', 'date'].map((name) => origin.text(at + name));
    return [result, inCode(command), commit.slice(0, 8), date.slice(0, 10)];
  });
  return `## How each was measured\n\nCommands run in a clone of the project, at that commit.\n\n${table(['result', 'command', 'commit', 'date'], rows)}`;
}
