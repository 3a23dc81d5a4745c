// What pages tell people to type is true: commands, flags and values exist, and so do settings, scripts, files and routes.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describedProgram } from '../../scripts/reference/described-program.ts';
import { httpRoutes } from '../../src/serve/http/http-routes.ts';
import { manifest, PROJECT, projectFiles, readProject } from '../package/project-files.ts';
import { commands, knownVariables } from '../packaging/public-names.ts';
import { readSnippets, shellCalls, type ShellCall } from './read-snippets.ts';

/** Pages of others that are quoted, and history. */
const NOT_OURS = /^(test|docs\/extraction\/|docs\/decisions\/|CHANGELOG\.md$)/;
const pages = projectFiles().filter((file) => file.endsWith('.md') && !NOT_OURS.test(file));
const snippets = pages.flatMap((page) => readSnippets(page, readProject(page)));
const calls = snippets.flatMap((snippet) => shellCalls(snippet));
const flagsOfAll = describedProgram().options;

/** Read by the compose file alone, and a name that stands for all of its kind. */
const OTHER_VARIABLES = new Set(['PINAKES_DB_PASSWORD', 'PINAKES_']);

test('there is something to check', () => {
  expect(pages.length).toBeGreaterThan(25);
  expect(calls.filter(({ program }) => program === 'pinakes').length).toBeGreaterThan(80);
});

test('every command of pinakes exists, with its flags, their values and its arguments', () => {
  const faults = calls.filter(({ program }) => program === 'pinakes').flatMap(faultsOf);
  expect(faults).toEqual([]);
});

test('a command, a flag or a value that is not there would be found', () => {
  const wrong = ['pinakes fetch x', 'pinakes search x --fast', 'pinakes urls x --outcome lost', 'pinakes add a b'];
  const found = wrong.flatMap((text) => shellCalls({ page: 'x.md', language: 'sh', text })).flatMap(faultsOf);
  expect(found).toHaveLength(4);
});

function faultsOf({ page, words, line }: ShellCall): string[] {
  const flagged = words.findIndex((word) => !isProgramFlag(word));
  const rest = words.slice(Math.max(flagged, 0));
  const isHelp = rest.length === 0 || rest[0]?.startsWith('-') === true;
  if (isHelp) return [];
  const found = commands
    .filter(({ words: known }) => `${rest.join(' ')} `.startsWith(`${known} `))
    .toSorted((a, b) => b.words.length - a.words.length)[0];
  if (found === undefined) return [`${page}: no such command: ${line}`];
  const given = rest.slice(found.words.split(' ').length);
  const faults: string[] = [];
  let positional = 0;
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? '';
    if (!word.startsWith('--')) {
      positional += 1;
      continue;
    }
    const option = [...found.command.options, ...flagsOfAll].find(({ long }) => long === word);
    if (option === undefined) faults.push(`${page}: no such flag ${word}: ${line}`);
    else if (option.required || option.optional) {
      at += 1;
      const value = given[at] ?? '';
      if (option.argChoices !== undefined && !option.argChoices.includes(value))
        faults.push(`${page}: ${word} is never ${value}: ${line}`);
    }
  }
  const { registeredArguments: known } = found.command;
  const least = known.filter(({ required }) => required).length;
  // In a sentence a command may stand for itself; in a block it is to be typed.
  const isShown = positional === 0 && given.length === 0;
  if (positional > known.length || (positional < least && !isShown))
    faults.push(`${page}: ${found.words} takes ${least} to ${known.length} arguments: ${line}`);
  return faults;
}

function isProgramFlag(word: string): boolean {
  return flagsOfAll.some(({ long }) => long === word) || /^https?:/.test(word);
}

test('every variable of pinakes is a setting', () => {
  const faults = pages.flatMap((page) =>
    [...readProject(page).matchAll(/\bPINAKES_[A-Z_]*/g)]
      .map(([name]) => name)
      .filter((name) => !knownVariables.has(name) && !OTHER_VARIABLES.has(name) && !name.startsWith('PINAKES_TEST_'))
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
  const others = ['/api/openapi.json', '/events', '/events/ticket', '/mcp', '/healthz', '/readyz', '/metrics', '/'];
  const known = new Set([...httpRoutes.map(({ door }) => `/api${door.path}`), ...others]);
  const faults = pages.flatMap((page) =>
    [...readProject(page).matchAll(/`(?:GET|POST|DELETE) (\/[^\s`?]*)/g)]
      .map(([, path = '']) => path)
      .filter((path) => !known.has(path))
      .map((path) => `${page}: ${path}`),
  );
  expect(faults).toEqual([]);
});
