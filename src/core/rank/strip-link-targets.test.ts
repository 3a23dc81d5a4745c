import { describe, expect, test } from 'vitest';
import { stripLinkTargets } from './strip-link-targets.ts';

describe('link targets', () => {
  test('targets are removed, texts stay', () => {
    expect(stripLinkTargets('See [a `b`](https://x.dev/(1)) and ![i](i.png).')).toBe('See a `b` and i.');
  });

  test('code and text that only looks like a link are unchanged', () => {
    const code = '```js\nhandlers[name](event)\n```\na[0]( not closed';
    expect(stripLinkTargets(code)).toBe(code);
  });

  test('unclosed links are unchanged', () => {
    for (const text of ['['.repeat(100_000), ']('.repeat(50_000), '[]('.repeat(10_000)])
      expect(stripLinkTargets(text)).toBe(text);
  });
});
