import { expect, test } from 'vitest';
import { passageText } from './passage-text.ts';
import { workMs } from '../../../test/support/work-time.ts';

test('link targets and table rules are removed', () => {
  expect(passageText([], 'See [the guide](https://x.dev/guide?a=1#b) and ![logo](logo.png).')).toBe(
    'See the guide and logo.',
  );
  expect(passageText([], '| a | b |\n|-----|:-----:|\n| 1 | 2 |')).toBe('| a | b |\n \n| 1 | 2 |');
});

test('headings precede the text, each once', () => {
  expect(passageText(['Routes', 'Fastify', 'Routes', 'Options'], 'text')).toBe('Routes > Fastify > Options\ntext');
});

test('code keeps its brackets', () => {
  expect(passageText([], 'const a = list[0](x);\nrows[i] += 1')).toBe('const a = list[0](x);\nrows[i] += 1');
});

test('hostile text takes linear time', () => {
  const run = (): void => {
    for (const fragment of ['[', '](', '[a](', '----', '[[]](', ']('.repeat(3)])
      passageText([], fragment.repeat(200_000));
  };
  expect(workMs(run)).toBeLessThan(2000);
});
