// docs/llms.txt is the map of this project for agents: in the form of llmstxt.org, whole, and short.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detectInjection } from '../../../src/core/classify/prompt-injection.ts';
import { LLMS_TEMPLATE } from '../../../src/core/export/llms/project-llms.ts';
import { scanSecrets } from '../../../src/core/export/secrets/scan-secrets.ts';

const docs = join(import.meta.dirname, '../../../docs');
const text = readFileSync(join(docs, 'llms.txt'), 'utf8');
const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)(?:: .+)?$/gm)].map(([, path]) => path!);

test('[E5] it has one title, a summary, notes, sections of links, and Optional at the end', () => {
  expect(text).toMatch(/^# [^\n]+\n\n> [^\n]+\n\n(?:[^#\n][^\n]*\n)+\n(?:## [^\n]+\n\n(?:- \[[^\n]+\n)+\n?)+$/);
  expect(text.match(/^# /gm)).toHaveLength(1);
  expect(text.match(/^## .+/gm)?.at(-1)).toBe('## Optional');
});

test('every link leads to a file, and every page that people read is linked', () => {
  expect(links.filter((path) => !existsSync(join(docs, path)))).toEqual([]);
  const pages = ['.', 'guides', 'reference'].flatMap((folder) =>
    readdirSync(join(docs, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
  expect(pages.filter((path) => !links.includes(path))).toEqual([]);
});

test('it is short, and has neither secrets nor instructions', () => {
  expect(text.length).toBeLessThan(10_000);
  expect(scanSecrets(text, 'llms.txt', 1)).toEqual([]);
  expect(detectInjection(text)).toEqual([]);
});

test('the templates are those that the commands fill, and say what counts first', () => {
  expect(readFileSync(join(docs, 'templates', 'llms.template.txt'), 'utf8')).toBe(LLMS_TEMPLATE);
  const agents = readFileSync(join(docs, 'templates', 'AGENTS_TEMPLATE.md'), 'utf8');
  const ranks = ['system, the developer and the user', 'closest AGENTS.md', 'formats', 'llms.txt'];
  const locations = ranks.map((words) => agents.indexOf(words));
  expect(locations.every((location) => location > 0)).toBe(true);
  expect(locations).toEqual(locations.toSorted((a, b) => a - b));
});
