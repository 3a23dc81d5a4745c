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

  test('a fence in a list is code, and inline code does not open a fence (finding B16)', () => {
    const item = '1. Do:\n\n    ```js\n    on[name](event)\n    ```\n\n- ```js\n  on[name](event)\n  ```';
    expect(stripLinkTargets(item)).toBe(item);
    expect(stripLinkTargets('```x``` is [a](b)\n[c](d)')).toBe('```x``` is a\nc');
    expect(stripLinkTargets('```md\n```js\n[a](b)\n```\n[c](d)')).toBe('```md\n```js\n[a](b)\n```\nc');
  });

  test('unclosed links are unchanged', () => {
    for (const text of ['['.repeat(100_000), ']('.repeat(50_000), '[]('.repeat(10_000)])
      expect(stripLinkTargets(text)).toBe(text);
  });
});
