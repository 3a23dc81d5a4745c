// One parser thread for all runs of a test file: starting one takes longer than most of them.

import type { ChunkLimits } from '../../src/core/chunk/chunker.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import type { ParsedPage, Parser } from '../../src/parse/port.ts';
import { createThreadParser } from '../../src/parse/thread-parser.ts';

const shared = new Map<ChunkLimits | undefined, Parser>();

/** Its thread ends with the process. */
export function sharedParser(chunkLimits?: ChunkLimits): Parser {
  const parser =
    shared.get(chunkLimits) ??
    createThreadParser({ threads: 1, idleMs: 60_000, ...(chunkLimits !== undefined && { chunkLimits }) });
  shared.set(chunkLimits, parser);
  return { ...parser, close: async () => undefined };
}

/** For crawls of the same pages into several stores: each page is parsed once. */
export function parseOnce(parser: Parser): Parser {
  const parsed = new Map<string, Promise<ParsedPage>>();
  return {
    ...parser,
    async parse(page, signal) {
      const key = `${page.url} ${sha256Hex(page.body)}`;
      const parsing = parsed.get(key) ?? parser.parse(page);
      parsed.set(key, parsing);
      // A page that found no free thread is tried again.
      parsing.catch(() => parsed.delete(key));
      const result = await parsing;
      signal?.throwIfAborted();
      return { ...result, body: result.body.slice() };
    },
  };
}
