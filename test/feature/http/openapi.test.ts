// The OpenAPI document is valid, and every route matches it: whatever the input, no response is a 5xx.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openapiDocument } from '../../../src/serve/http/openapi-document.ts';
import { addFiles, startTestServer, type TestServer } from '../../support/test-server.ts';
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

test('the document names its server, its stream and all responses (finding T6.3)', () => {
  const { servers, paths } = document as unknown as {
    servers: ReadonlyArray<{ url: string }>;
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  };
  expect(servers.map(({ url }) => url)).toEqual(['/']);
  expect(paths['/events']?.['get']?.operationId).toBe('stream_events');
  expect(paths['/events/ticket']?.['post']?.operationId).toBe('create_ticket');
  expect(Object.keys(paths['/api/sources']?.['post']?.responses ?? {})).toEqual(
    expect.arrayContaining(['201', '400', '401', '403', '409', '429', '503', 'default']),
  );
  expect(paths['/api/sources/{source}/recrawl']?.['post']?.responses).toHaveProperty('202');
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(ids).toEqual(expect.arrayContaining(['list_runs', 'show_run', 'pause_run', 'read_page', 'read_chunk']));
});

describe('[H1] whatever the input, no response is a 5xx, and each matches the document', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ PINAKES_FETCH_ALLOW_CIDRS: '' }, (library) =>
      addFiles(library, 'guide', { 'guide.md': '# Guide\n\nThe pool keeps connections open.\n' }),
    );
  });
  afterAll(() => server.stop());

  test('a wrong method is refused with those that are allowed (finding T6.3)', async () => {
    const response = await fetch(`${server.url}/api/sources`, { method: 'PUT' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, GET']);
    expect(((await response.json()) as { error: { code: string } }).error.code).toBe('http.method-not-allowed');
  });

  test.each([
    ['search?q=pool', 'query is required; there is no input q (did you mean query?)'],
    ['search?query=', 'query must not be empty'],
    ['search?query=pool&limit=99', 'limit must be at most 50'],
    ['search?query=pool&budgt=500', 'there is no input budgt (did you mean budget?)'],
  ])('%s is refused in words (finding T6.4)', async (path, message) => {
    const response = await fetch(`${server.url}/api/${path}`);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: { message: string } }).error.message).toBe(message);
  });

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
          const schema = answer.ok ? operation.answer : operation.error;
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
    .map((provided) => {
      const query = new URLSearchParams();
      let filled = path;
      for (const { name, in: location } of parameters) {
        const value = (provided.values as Record<string, unknown>)[name];
        if (location === 'path')
          filled = filled.replace(`{${name}}`, encodeURIComponent(String(value).toWellFormed() || 'x'));
        else if (value !== undefined)
          for (const one of [value as number | readonly number[]].flat()) query.append(name, String(one));
      }
      return { path: filled, query: query.toString(), body: provided.body };
    });
}
