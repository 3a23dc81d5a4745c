// The list of tools is what every assistant reads first: it must be short, stable, and in a form that every client accepts.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { countTokens } from '../../support/count-tokens.ts';
import { listedTools, type ListedTool } from './listed-tools.ts';
import { MCP_TOOLS, namedInputs } from '../../../src/serve/mcp/mcp-tools.ts';
import { schemaFaults } from './schema-faults.ts';

const PINNED = new URL('../../data/golden/mcp/tools.json', import.meta.url);

function hashOf({ name, title, description, inputSchema, outputSchema, annotations }: ListedTool): string {
  const text = JSON.stringify({ name, title, description, inputSchema, outputSchema, annotations });
  return createHash('sha256').update(text).digest('hex');
}

test('[M1] [M3] five tools are available by default, all of them read-only', async () => {
  const tools = await listedTools(false);
  expect(tools.map(({ name }) => name).toSorted()).toEqual([
    'crawl_status',
    'list_sources',
    'outline',
    'read_docs',
    'search_docs',
  ]);
  for (const { annotations } of tools) expect(annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
});

test('[M3] the whole list is under 1,500 tokens', async () => {
  expect(countTokens(JSON.stringify(await listedTools(false)))).toBeLessThan(1500);
});

test('with the tools that change the library, the list is under 4,000 tokens (finding T25)', async () => {
  const tools = await listedTools(true);
  expect(countTokens(JSON.stringify(tools))).toBeLessThan(4000);
  const { settings } = tools.find(({ name }) => name === 'add_source')!.inputSchema['properties'] as Schemas;
  expect(settings).toMatchObject({ type: 'array', description: expect.stringContaining('maxDepth') });
});

type Schemas = Readonly<Record<string, unknown>>;

test('a setting by its name is the input of that name, and a repeated one a list (finding T25)', () => {
  const tool = MCP_TOOLS.find(({ action }) => action.name === 'add_source')!;
  const input = { url: 'https://x.dev/', settings: ['maxDepth=2', 'headers=A: 1', 'headers=B: c=d', 'renderr=x'] };
  expect(namedInputs(tool, input)).toEqual({
    url: 'https://x.dev/',
    maxDepth: '2',
    headers: ['A: 1', 'B: c=d'],
    renderr: 'x',
  });
  expect(namedInputs(tool, { url: 'https://x.dev/', maxDepth: 2 })).toEqual({ url: 'https://x.dev/', maxDepth: 2 });
});

test('descriptions say what, when and how to continue, with bounds and defaults (finding T1.8)', async () => {
  const tools = new Map((await listedTools(true)).map((tool) => [tool.name, tool]));
  const search = tools.get('search_docs');
  expect(search?.description).toMatch(/^Search .* before you answer .* `offset`.* read_docs/);
  expect(search?.inputSchema).toMatchObject({
    properties: {
      limit: { description: 'Maximum number of passages (1 to 50, default 8)' },
      budget: { description: expect.stringMatching(/\(200 to 8000, default 2000\)$/) },
    },
  });
  expect(tools.get('search_docs')?.outputSchema).toHaveProperty('properties.nextOffset', { type: 'integer' });
  expect(tools.get('read_docs')?.outputSchema).toHaveProperty('properties.nextLine', { type: 'integer' });
  expect(tools.get('outline')?.outputSchema).toHaveProperty('properties.nextCursor', { type: 'string' });
  expect(search?._meta).toEqual({ 'anthropic/alwaysLoad': true });
  const hints = (name: string) => tools.get(name)?.annotations;
  expect(hints('plan_source')).toEqual({ readOnlyHint: true, openWorldHint: true });
  for (const name of ['add_source', 'recrawl_source']) expect(hints(name)).toMatchObject({ openWorldHint: true });
  expect(hints('remove_source')).toMatchObject({ destructiveHint: true, openWorldHint: false });
  expect(hints('add_source')).toMatchObject({ readOnlyHint: false, destructiveHint: false });
});

test('[M3] mcp-33: names, descriptions and schemas are pinned', async () => {
  const hashes = Object.fromEntries((await listedTools(true)).map((tool) => [tool.name, hashOf(tool)]));
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PINNED, `${JSON.stringify(hashes, null, 2)}\n`);
  expect(hashes).toEqual(JSON.parse(readFileSync(PINNED, 'utf8')));
});

describe('[M3] every schema is in the subset that all clients accept', async () => {
  for (const { name, description, inputSchema, outputSchema } of await listedTools(true)) {
    test(name, () => {
      expect(name).toMatch(/^[a-z][a-z_]{0,63}$/);
      expect(description.length).toBeLessThanOrEqual(1024);
      expect(schemaFaults(inputSchema, 'input')).toEqual([]);
      expect(schemaFaults(outputSchema, 'output')).toEqual([]);
      expect(inputSchema).toHaveProperty('additionalProperties', false);
    });
  }
});

test.each([
  ['a union', { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } } }],
  ['two types', { type: 'object', properties: { a: { type: ['string', 'null'] } } }],
  ['a reference', { type: 'object', properties: { a: { $ref: '#/x' } } }],
  ['a list of anything', { type: 'object', properties: { a: { type: 'array' } } }],
  ['a required field that does not exist', { type: 'object', properties: {}, required: ['a'] }],
  ['a default', { type: 'object', properties: { a: { type: 'string', default: 'x' } } }],
])('%s is detected', (_, schema) => {
  expect(schemaFaults(schema, 'it')).not.toEqual([]);
});
