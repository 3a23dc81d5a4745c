// The OpenAPI document is valid, and every route matches it: whatever the input, no response is a 5xx.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openapiDocument } from '../../src/serve/http/openapi-document.ts';
import { addFiles, startTestServer, type TestServer } from '../support/test-server.ts';
import { openapiFaults, operationsOf, type Operation } from './openapi-faults.ts';
import { arbitraryValue, schemaAllows } from './schema-values.ts';

const document = openapiDocument('0.0.0');

test('[H1] the OpenAPI document is valid', () => {
  expect(openapiFaults(document)).toEqual([]);
});

test('every operation has a unique id', () => {
  const names = operationsOf(document).map(({ operationId }) => operationId);
  expect(names.length).toBeGreaterThan(15);
  expect(new Set(names).size).toBe(names.length);
});

describe('[H1] whatever the input, no response is a 5xx, and each matches the document', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ PINAKES_FETCH_ALLOW_CIDRS: '' }, (library) =>
      addFiles(library, 'guide', { 'guide.md': '# Guide\n\nThe pool keeps connections open.\n' }),
    );
  });
  afterAll(() => server.stop());

  for (const operation of operationsOf(document)) {
    test(operation.operationId, { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(anyRequest(operation), async ({ path, query, body }) => {
          const target = `${server.url}${path}${query === '' ? '' : `?${query}`}`;
          const json = { 'content-type': 'application/json' };
          const answer = await fetch(target, {
            method: operation.method,
            ...(body === undefined ? {} : { headers: json, body: JSON.stringify(body) }),
          });
          const text = await answer.text();
          expect(answer.status, `${operation.method} ${target} ${JSON.stringify(body)}: ${text}`).toBeLessThan(500);
          const schema = answer.status === 200 ? operation.answer : operation.error;
          if (schema === null) expect(answer.headers.get('content-disposition')).toContain('attachment');
          else expect(schemaAllows(schema, JSON.parse(text)), `${target}: ${text}`).toBe(true);
        }),
        { numRuns: 25, seed: 7 },
      );
    });
  }
});

/** Mostly valid values, sometimes not. Existing sources and pages are frequent. */
function anyRequest({ path, parameters, body }: Operation) {
  const values = fc.record(
    Object.fromEntries(parameters.map(({ name, schema }) => [name, arbitraryValue(name, schema)])),
    {
      requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
    },
  );
  return fc
    .record({ values, body: body === null ? fc.constant(undefined) : arbitraryValue('body', body) })
    .map((given) => {
      const query = new URLSearchParams();
      let filled = path;
      for (const { name, in: place } of parameters) {
        const value = (given.values as Record<string, unknown>)[name];
        if (place === 'path')
          filled = filled.replace(`{${name}}`, encodeURIComponent(String(value).toWellFormed() || 'x'));
        else if (value !== undefined)
          for (const one of [value as number | readonly number[]].flat()) query.append(name, String(one));
      }
      return { path: filled, query: query.toString(), body: given.body };
    });
}
