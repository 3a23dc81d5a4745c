// Every hostile sitemap and llms.txt goes through a parser thread, one test each, while the main thread is monitored.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { createThreadParser } from '../../../src/parse/thread-parser.ts';
import { buildDocument, hostileDocuments } from '../../support/build-document.ts';
import { llmsExpectations, llmsFullExpectations, sitemapExpectations } from './discovery.expectations.ts';
import { watchMainThread } from './main-thread-monitor.ts';

/** CPU time, as in hostile-pages.test.ts. */
const CPU_LIMIT_MS = 10_000;
const PARSER_TIMEOUT_MS = 120_000;
const parser = createThreadParser({ threads: 1, timeoutMs: PARSER_TIMEOUT_MS });
const file = (body: Uint8Array) => ({ url: pageUrl('https://h.test/file'), mediaType: null, body });

beforeAll(async () => {
  await parser.readLlmsTxt(file(new Uint8Array([35])));
});
afterAll(() => parser.close());

interface FileSuite<Result> {
  readonly parse: (body: Uint8Array) => Promise<Result>;
  readonly expectations: Readonly<
    Record<string, { readonly withinMs?: number; readonly check: (result: Result) => void }>
  >;
}

function suite<Result>({ parse, expectations }: FileSuite<Result>): void {
  for (const [id, { withinMs = CPU_LIMIT_MS, check }] of Object.entries(expectations)) {
    const document = hostileDocuments.find((candidate) => candidate.id === id);
    test(`${id}: ${document?.expect ?? ''}`, { timeout: PARSER_TIMEOUT_MS }, async () => {
      const runs: number[] = [];
      while (runs.length < 3 && !runs.some((ms) => ms < withinMs)) {
        const body = buildDocument(document!);
        const [result, { longestBlockMs, growthMb, workMs }] = await watchMainThread(() => parse(body));
        check(result);
        expect(longestBlockMs).toBeLessThan(100);
        expect(growthMb).toBeLessThan(512);
        runs.push(workMs);
      }
      expect(Math.min(...runs)).toBeLessThan(withinMs);
    });
  }
}

suite({ parse: (body) => parser.readSitemap(file(body)), expectations: sitemapExpectations });
suite({ parse: (body) => parser.readLlmsTxt(file(body)), expectations: llmsExpectations });
suite({ parse: (body) => parser.splitLlmsFull({ ...file(body), knownPages: [] }), expectations: llmsFullExpectations });

test('every listed file has exactly one expectation', () => {
  const listed = hostileDocuments.filter(({ type }) => type === 'sitemap' || type === 'llms').map(({ id }) => id);
  const expected = [sitemapExpectations, llmsExpectations, llmsFullExpectations].flatMap((list) => Object.keys(list));
  expect(expected.sort()).toEqual(listed.sort());
});
