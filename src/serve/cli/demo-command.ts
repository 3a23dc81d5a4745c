// `pinakes demo`: indexes the guides of Pinakes itself, which are in its package, and answers a question about them. Nothing is fetched.

import type { Command } from 'commander';
import { packagePath } from '../../platform/package-path.ts';
import { withLibrary, type CliRuntime } from './cli-runtime.ts';
import type { CommandLibrary } from '../call-action.ts';
import { followRun } from './follow-run.ts';
import { EXIT, inGroup } from './program-help.ts';

const SOURCE = 'pinakes-demo';
const QUESTION = 'limit an assistant to the packages of a project';

interface DemoFlags {
  readonly json?: boolean;
}

export function addDemoCommand(program: Command, runtime: CliRuntime, setCode: (code: number) => void): void {
  inGroup(program.command('demo'), 'index')
    .summary('Index the guides of Pinakes and search them')
    .description(
      `Index the guides that come with the program as the source ${SOURCE}, without a network, and answer a question about them.\n\nExamples:\n  $ pinakes demo\n  $ pinakes demo how do I keep a crawl polite`,
    )
    .argument('[question...]', 'Another question')
    .option('--json', 'Print the answer as JSON')
    .action(async (words: readonly string[], flags: DemoFlags) => {
      const query = words.length === 0 ? QUESTION : words.join(' ');
      setCode(await withLibrary(runtime, 'write', (library) => runDemo(library, query, flags, runtime)));
    });
}

const BUDGET = 600;

async function runDemo(
  library: CommandLibrary,
  query: string,
  { json = false }: DemoFlags,
  runtime: CliRuntime,
): Promise<number> {
  const { sources } = (await library.call('list_sources', {})) as { sources: readonly { readonly source: string }[] };
  if (!sources.some(({ source }) => source === SOURCE)) {
    const url = packagePath('docs/guides');
    if (url === null) throw new Error('The guides are not in this package.');
    const added = await library.call('add_source', { url, name: SOURCE, version: runtime.version });
    const { state } = await followRun(library, (added as { run: number }).run, runtime, json ? 'json' : 'text');
    if (state !== 'completed') return EXIT.failed;
  }
  const input = { query, source: SOURCE, budget: BUDGET };
  const answer = await library.call('search_docs', input);
  if (json) {
    runtime.out(`${JSON.stringify(answer)}\n`);
    return EXIT.done;
  }
  const { renderResult } = await import('./render/render-answer.ts');
  const { width, colors } = runtime;
  runtime.out(
    `Question: ${query}\n\n${renderResult('search_docs', answer, { width, colors }, input)}
Next, in the folder of your project: pinakes sync. To remove the demo: pinakes remove ${SOURCE}\n`,
  );
  return EXIT.done;
}
