// `pinakes fetch`: pages as documents, one JSON object per line, without a library.

import { InvalidArgumentError, type Command } from 'commander';
import { pinakesError } from '../../core/model/errors.ts';
import { systemReason } from '../../platform/data-directory.ts';
import type { CliRuntime, LoadFlags, LoadLine } from './cli-runtime.ts';
import type { ProcessCommandDeps } from './process-commands.ts';
import { EXIT, inGroup } from './program-help.ts';

interface Flags {
  readonly file?: string;
  readonly crawl4ai?: string;
  readonly timeout?: number;
  readonly failOnError?: boolean;
  readonly concurrency?: number;
  readonly retries?: number;
}

const SETTINGS = ['fetch.allowHosts', 'fetch.allowCidrs', 'fetch.allowPorts', 'fetch.maxBodyBytes', 'fetch.userAgent'];

export function addFetchCommand(program: Command, { runtime, setCode, settingsHelp }: ProcessCommandDeps): void {
  inGroup(program.command('fetch'), 'search')
    .summary('Print pages as documents, one JSON object per line')
    .description(
      `Fetch pages and print them as documents: Markdown text, an id that depends on the URL only, and flat metadata. There is one line per
URL, in the order of the list; that of a page that failed has an error. Nothing is stored.

Examples:
  $ pinakes fetch https://docs.example.dev/guide https://docs.example.dev/api > pages.jsonl
  $ pinakes fetch --file urls.txt --concurrency 10
  $ pinakes fetch --file - --crawl4ai http://localhost:11235 < urls.txt`,
    )
    .argument('[urls...]', 'The pages')
    .option('--file <file>', 'Read URLs from this file, one per line; - reads stdin')
    .option('--crawl4ai <url>', 'Load the pages through the Crawl4AI server at this address')
    .option('--concurrency <n>', 'Pages loaded at once, from 1 to 20; 5 by default', wholeNumber)
    .option('--timeout <seconds>', 'Timeout of a request, from 10 to 300; 60 by default', wholeNumber)
    .option('--retries <n>', 'Retries after timeouts and server errors, from 0 to 10; 3 by default', wholeNumber)
    .option('--fail-on-error', 'Stop at the first page that fails')
    .option('--json', 'Print an error as JSON')
    .addHelpText('after', () => settingsHelp(SETTINGS))
    .action(async (urls: readonly string[], flags: Flags) => {
      if ((urls.length === 0) === (flags.file === undefined))
        throw pinakesError('input.invalid', { reason: 'Name the pages, or a file with --file' });
      setCode(await printPages(flags.file === undefined ? urls : readLines(flags.file), flags, runtime));
    });
}

async function printPages(
  urls: Iterable<string> | AsyncIterable<string>,
  { crawl4ai, timeout, concurrency, retries, failOnError }: Flags,
  runtime: CliRuntime,
): Promise<number> {
  const options: LoadFlags = {
    ...(crawl4ai !== undefined && { endpointUrl: crawl4ai }),
    ...(timeout !== undefined && { timeoutSeconds: timeout }),
    ...(concurrency !== undefined && { maxConcurrentRequests: concurrency }),
    ...(retries !== undefined && { maxRetries: retries }),
    ...(failOnError !== undefined && { failOnError }),
  };
  let failed = 0;
  for await (const line of runtime.load(urls, options)) {
    if (line.kind === 'failed') failed += 1;
    runtime.out(`${JSON.stringify(line.kind === 'loaded' ? line.page : failureOf(line))}\n`);
  }
  return failed === 0 ? EXIT.done : EXIT.failed;
}

function failureOf({ url, error }: LoadLine & { readonly kind: 'failed' }): object {
  const { code, message } = error;
  return { url, error: { code, message } };
}

/** Empty lines and comments are skipped. Raises `files.unreadable`. */
async function* readLines(file: string): AsyncGenerator<string, void> {
  const [{ createInterface }, { createReadStream }] = await Promise.all([import('node:readline'), import('node:fs')]);
  const input = file === '-' ? process.stdin : createReadStream(file);
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const text = line.trim();
      if (text !== '' && !text.startsWith('#')) yield text;
    }
  } catch (error) {
    throw pinakesError('files.unreadable', { path: file, reason: systemReason(error) }, error);
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}
