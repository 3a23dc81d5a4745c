import { expect, test } from 'vitest';
import { splitHeadingAttributes } from './heading-attributes.ts';

test.each([
  ['Title {#id}', 'Title', 'id'],
  ['Title { #id }', 'Title', 'id'],
  ['Title {: #id }', 'Title', 'id'],
  ['Title {: #id .class }', 'Title', 'id'],
  ['Title { .class #id key="value" }', 'Title', 'id'],
  ['Title {.class}', 'Title', null],
  ['Title \\{#id\\}', 'Title', 'id'],
  ['Title [#id]', 'Title', 'id'],
  ['Title[#id](x)', 'Title[#id](x)', null],
  ['Route /users/{id}', 'Route /users/{id}', null],
  ['Set {a=b}', 'Set {a=b}', null],
  ['Object {: a thing }', 'Object {: a thing }', null],
  ['Empty {}', 'Empty {}', null],
])('%s', (heading, text, anchor) => {
  expect(splitHeadingAttributes(heading)).toEqual({ text, anchor });
});

test('time is linear in the number of spaces', () => {
  const heading = `x${' '.repeat(200_000)}{#`;
  expect(splitHeadingAttributes(heading).anchor).toBeNull();
});
