// Entry of a parse thread: one job at a time, in order of arrival.

import { createChunkers } from '../core/chunk/chunkers.ts';
import { createGrammarLoader } from '../core/chunk/code/grammar-loader.ts';
import { createExtractorRegistry } from '../core/extract/extractor-registry.ts';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import { parseWordTable } from '../core/vector/word-vectors.ts';
import { serverExtractors } from '../formats/server-formats.ts';
import { createNodeGrammarFiles } from './node-grammar-files.ts';
import { type ParseContract, type ParseJob, runJob } from './parse-job.ts';
import { useNativeHash } from '../platform/native-hash.ts';
import { serveThread } from '../platform/serve-thread.ts';
import { releaseHeap } from '../platform/v8-heap.ts';
import { readWordTableFile } from '../platform/word-table-file.ts';

/** The tree of a page is ten times its size. For a page this long, memory matters more than time. */
const LARGE_BYTES = 1_048_576;

useNativeHash();
serveThread<ParseContract>({
  open(limits) {
    const table = readWordTableFile();
    const grammars = createGrammarLoader(createNodeGrammarFiles());
    const tools = {
      registry: createExtractorRegistry(serverExtractors),
      chunkers: createChunkers(grammars),
      grammars,
      words: table === null ? null : parseWordTable(table),
      ...limits,
    };
    return {
      async handle(job) {
        const isLarge = job.input.body.byteLength >= LARGE_BYTES;
        try {
          return await runJob(job, tools);
        } catch (error) {
          throw withoutPageText(error, job);
        } finally {
          // After this tick nothing refers to the page any more. Its memory would stay unused for the rest of a crawl.
          if (isLarge) setImmediate(releaseHeap);
        }
      },
    };
  },
  transferOf: (result) => ('body' in result && result.body.buffer instanceof ArrayBuffer ? [result.body.buffer] : []),
});

/** The message of any other error, and so its stack, may quote the page: only the frames are kept. */
function withoutPageText(error: unknown, { input }: ParseJob): PinakesError {
  const { name, stack = '' } = error instanceof Error ? error : new Error('not an error');
  const safe =
    error instanceof PinakesError ? error : pinakesError('internal', { reason: `${name} while parsing ${input.url}` });
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  safe.stack = [`${safe.name}: ${safe.message}`, ...frames].join('\n');
  return safe;
}
