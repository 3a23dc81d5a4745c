// Checks what pages tell people to type: commands, flags and values exist, and so do settings, scripts, files and routes.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describedProgram } from '../../../scripts/reference/described-program.ts';
import { httpRoutes } from '../../../src/serve/http/http-routes.ts';
import { manifest, PROJECT, projectFiles, readProject } from '../../support/project-files.ts';
import { commands, configVariables } from '../../support/public-names.ts';
import { readSnippets, shellCalls, type ShellCall } from '../../support/read-snippets.ts';

/** Quoted pages of other projects, and history: a benchmark has the command of its commit. */
const NOT_OURS = /^(test|docs\/extraction\/|docs\/decisions\/|docs\/benchmarks\.md$|CHANGELOG\.md$)/;
const pages = projectFiles().filter((file) => file.endsWith('.md') && !NOT_OURS.test(file));
const snippets = pages.flatMap((page) => readSnippets(page, readProject(page)));
const calls = snippets.flatMap((snippet) => shellCalls(snippet));
const globalFlags = describedProgram().options;

/** Read by the compose file only, and the common prefix. */
const OTHER_VARIABLES = new Set(['PINAKES_DB_PASSWORD', 'PINAKES_']);

test('there is something to check', () => {
  expect(pages.length).toBeGreaterThan(25);
  expect(calls.filter(({ program }) => program === 'pinakes').length).toBeGreaterThan(80);
});

test('every pinakes command exists, with its flags, their values and its arguments', () => {
  const faults = calls.filter(({ program }) => program === 'pinakes').flatMap(faultsOf);
  expect(faults).toEqual([]);
});

test('a missing command, flag or value is detected', () => {
  const wrong = ['pinakes crawl x', 'pinakes search x --fast', 'pinakes urls x --outcome lost', 'pinakes add a b'];
  const found = wrong.flatMap((text) => shellCalls({ page: 'x.md', language: 'sh', text })).flatMap(faultsOf);
  expect(found).toHaveLength(4);
});

function faultsOf({ page, words, line }: ShellCall): string[] {
  const flagged = words.findIndex((word) => !isProgramFlag(word));
  const rest = words.slice(Math.max(flagged, 0));
  const isHelp = rest.length === 0 || rest[0]?.startsWith('-') === true;
  if (isHelp) return [];
  const found = commands
    .filter(({ words: name }) => `${rest.join(' ')} `.startsWith(`${name} `))
    .toSorted((a, b) => b.words.length - a.words.length)[0];
  if (found === undefined) return [`${page}: no such command: ${line}`];
  const args = rest.slice(found.words.split(' ').length);
  const faults: string[] = [];
  let positional = 0;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (!word.startsWith('--')) {
      positional += 1;
      continue;
    }
    const option = [...found.command.options, ...globalFlags].find(({ long }) => long === word);
    if (option === undefined) faults.push(`${page}: no such flag ${word}: ${line}`);
    else if (option.required || option.optional) {
      at += 1;
      const value = args[at] ?? '';
      if (option.argChoices !== undefined && !option.argChoices.includes(value))
        faults.push(`${page}: ${word} does not accept ${value}: ${line}`);
    }
  }
  const { registeredArguments: parameters } = found.command;
  const required = parameters.filter((parameter) => parameter.required).length;
  // A sentence may mention a command without its arguments.
  const isMention = positional === 0 && args.length === 0;
  const most = parameters.at(-1)?.variadic === true ? Infinity : parameters.length;
  if (positional > most || (positional < required && !isMention))
    faults.push(`${page}: ${found.words} takes ${required} to ${most} arguments: ${line}`);
  return faults;
}

function isProgramFlag(word: string): boolean {
  return globalFlags.some(({ long }) => long === word) || /^https?:/.test(word);
}

test('every PINAKES_ variable is a setting', () => {
  const faults = pages.flatMap((page) =>
    [...readProject(page).matchAll(/\bPINAKES_[A-Z0-9_]*/g)]
      .map(([name]) => name)
      .filter((name) => !configVariables.has(name) && !OTHER_VARIABLES.has(name) && !name.startsWith('PINAKES_TEST_'))
      .map((name) => `${page}: ${name}`),
  );
  expect(faults).toEqual([]);
});

test('every npm script and every program of the project exists', () => {
  const faults = calls.flatMap(({ page, program, words, line }) => {
    const [first = '', second = ''] = words;
    if (
      program === 'npm' &&
      first === 'run' &&
      !(second.replace('--silent', '') in manifest.scripts) &&
      second !== '--silent'
    )
      return [`${page}: no script ${second}: ${line}`];
    if (program === 'node' && /^(scripts|bench|test)\//.test(first) && !existsSync(join(PROJECT, first)))
      return [`${page}: no file ${first}`];
    return [];
  });
  expect(faults).toEqual([]);
});

test('every JSON block is JSON', () => {
  for (const { page, text } of snippets.filter(({ language }) => language === 'json'))
    expect(() => JSON.parse(text) as unknown, page).not.toThrow();
});

test('every route that is named exists', () => {
  const others = [
    '/api/openapi.json',
    '/api/changes/stream',
    '/events',
    '/events/ticket',
    '/mcp',
    '/api/activity',
    '/health',
    '/healthz',
    '/readyz',
    '/metrics',
    '/queues/ssr',
    '/session',
    '/sign-in',
    '/',
  ];
  const routes = new Set([...httpRoutes.map(({ binding }) => `/api${binding.path}`), ...others]);
  const faults = pages.flatMap((page) =>
    [...readProject(page).matchAll(/`(?:GET|POST|DELETE) (\/[^\s`?]*)/g)]
      .map(([, path = '']) => path)
      .filter((path) => !routes.has(path))
      .map((path) => `${page}: ${path}`),
  );
  expect(faults).toEqual([]);
});

test('the guide to a format quotes the file of its example', () => {
  const page = 'docs/guides/add-a-format.md';
  const quoted = snippets.filter((snippet) => snippet.page === page && snippet.language === 'ts');
  expect(quoted.map(({ text }) => text.trim())).toEqual([readProject('src/formats/epub/format.ts').trim()]);
});
