// `pinakes sink`: copies the library into another system, and keeps the copy current.

import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Library } from '../../client/library.ts';
import { pluralize } from '../../core/text/plural.ts';
import type { SinkSummary } from '../../sink/follow-library.ts';
import type { CliRuntime, SinkTarget } from './cli-runtime.ts';
import { inGroup } from './program-help.ts';

interface SinkFlags {
  readonly follow?: boolean;
  readonly rebuild?: boolean;
  readonly json?: boolean;
}

export function addSinkCommands(program: Command, runtime: CliRuntime): void {
  const text = 'Copy the library into another system and keep it current';
  const parent = inGroup(program.command('sink'), 'search').summary(text).description(text);

  function add(usage: string, summary: string, example: string): Command {
    return parent
      .command(usage)
      .summary(summary)
      .description(`${summary}. It continues where it ended, even after a kill.\n\nExample:\n  $ ${example}`)
      .option('--follow', 'Keep the copy current until stopped')
      .option('--rebuild', 'List everything again instead of continuing where it ended')
      .option('--json', 'Print the result as JSON');
  }

  add(
    'qdrant <url>',
    'Copy chunks into a collection of a Qdrant server',
    'pinakes sink qdrant http://localhost:6333 --follow',
  )
    .option('--collection <name>', 'The collection; it is created if it does not exist', parseCollection, 'pinakes')
    .option('--no-vectors', 'Write payloads only')
    .action((url: string, flags: SinkFlags & { readonly collection: string; readonly vectors: boolean }) =>
      runSinkCommand({ kind: 'qdrant', url, collection: flags.collection, vectors: flags.vectors }, flags, runtime),
    );
  add('jsonl <file>', 'Copy chunks or pages into a file, one object a line', 'pinakes sink jsonl chunks.jsonl')
    .addOption(new Option('--records <records>', 'Content of each line').choices(['chunks', 'pages']).default('chunks'))
    .action((file: string, flags: SinkFlags & { readonly records: 'chunks' | 'pages' }) =>
      runSinkCommand({ kind: 'jsonl', file, records: flags.records }, flags, runtime),
    );
  add('folder <folder>', 'Copy pages into a folder, as Markdown files', 'pinakes sink folder docs --follow').action(
    (folder: string, flags: SinkFlags) => runSinkCommand({ kind: 'folder', folder }, flags, runtime),
  );
}

function parseCollection(name: string): string {
  if (/^[\w.-]{1,200}$/.test(name)) return name;
  throw new InvalidArgumentError('It must consist of letters, digits, dots, dashes and underscores.');
}

async function runSinkCommand(target: SinkTarget, flags: SinkFlags, runtime: CliRuntime): Promise<void> {
  const { follow = false, rebuild = false, json = false } = flags;
  const [sink, library] = [await runtime.openSink(target), await runtime.open('read')];
  try {
    const { runSink } = await import('../../sink/follow-library.ts');
    const onProgress = ({ written, deleted }: { written: number; deleted: number }): void => {
      if (runtime.isTerminal) runtime.showStatus([`${written} written, ${deleted} deleted`]);
    };
    const typed = library as unknown as Pick<Library, 'call'>;
    const summary = await runSink(typed, sink, { follow, rebuild, signal: runtime.stopping(), onProgress });
    runtime.showStatus([]);
    if (!json) runtime.err(summary.notes.map((note) => `${note}.\n`).join(''));
    runtime.out(json ? `${JSON.stringify(summary)}\n` : renderSummary(summary));
  } finally {
    await sink.close();
    await library.close();
  }
}

function renderSummary({ written, deleted, listed }: SinkSummary): string {
  const how = listed ? 'Listed the whole library' : 'Continued from the saved position';
  return `${how}: ${pluralize(written, 'page')} written, ${deleted} deleted.\n`;
}
