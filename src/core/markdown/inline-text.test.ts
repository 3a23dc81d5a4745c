import { expect, test } from 'vitest';
import { inlineText } from './inline-text.ts';

test.each([
  ['**Note** `scrapy.log` is _old_.', 'Note scrapy.log is old.'],
  ['Use `/**` and `__init__`', 'Use /** and __init__'],
  ['See [the `guide`](/guide "x") and ![this](https://x.dev/a_(b)).', 'See the guide and this.'],
  ['snake_case_name, a__b__c and 2 ** 3 * 4', 'snake_case_name, a__b__c and 2 ** 3 * 4'],
  ['*args, **kwargs, a[0] and [optional]', '*args, **kwargs, a[0] and [optional]'],
  ['`abs` ( *`number`* ) → ***same*** ~~type~~', 'abs ( number ) → same type'],
  ['1 \\* 2 \\<T> &lt;b&gt; <https://x.dev/> <kbd>x</kbd><br>y <T>', '1 * 2 <T> <b> https://x.dev/ x\ny <T>'],
  ['a  `b  c`', 'a b c'],
])('%j is read as %j (findings T5.3 and T22)', (line, text) => {
  expect(inlineText(line).text).toBe(text);
});

test('the ranges of inline code are known', () => {
  const { text, code } = inlineText('Set **`a`** or <code>b_c</code>.');
  expect(code.map(({ start, end }) => text.slice(start, end))).toEqual(['a', 'b_c']);
});
