import { expect, test } from 'vitest';
import { BLOCK_END, BLOCK_START, replaceBlock } from './marked-block.ts';

const block = (text: string): string => `${BLOCK_START}\n${text}\n${BLOCK_END}`;

function replaced(before: string, text: string): string {
  const verdict = replaceBlock(before, block(text));
  return verdict.kind === 'malformed' ? verdict.reason : verdict.text;
}

test('[E7] the block is added once and then replaced in place, with the text around it kept', () => {
  const first = replaced('# Rules\n\nBe brief.', 'one');
  expect(first).toBe(`# Rules\n\nBe brief.\n\n${block('one')}\n`);
  const edited = `${first}\n## More rules\n`;
  expect(replaced(edited, 'two')).toBe(`# Rules\n\nBe brief.\n\n${block('two')}\n\n## More rules\n`);
  expect(replaced(replaced(edited, 'two'), 'two')).toBe(replaced(edited, 'two'));
});

test('[E7] a new or empty file gets the block alone, and a byte order mark stays first', () => {
  expect(replaced('', 'one')).toBe(`${block('one')}\n`);
  expect(replaced('\uFEFF', 'one')).toBe(`\uFEFF${block('one')}\n`);
});

test('[E7] a file with CRLF keeps it, also in the block', () => {
  const first = replaced('# Rules\r\n', 'one\ntwo');
  expect(first.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(replaced(first, 'one\ntwo')).toBe(first);
  expect(replaced(`${first}Mine\r\n`, 'new')).toBe(
    `# Rules\r\n\r\n${block('new').replaceAll('\n', '\r\n')}\r\nMine\r\n`,
  );
});

test.each([
  [`a\n${BLOCK_START}\nmine\n`, 'the Pinakes block that begins in line 2 has no end'],
  [`a\n${BLOCK_END}\nmine\n`, 'line 2 ends a Pinakes block that does not begin'],
  [`${block('one')}\nmine\n${block('two')}\n`, 'it has more than one Pinakes block, in lines 1 and 5'],
  [`${BLOCK_START}\n${block('one')}\n`, 'it has more than one Pinakes block, in lines 1 and 2'],
])('[E7] marks that do not pair up are reported and nothing is written', (before, reason) => {
  expect(replaceBlock(before, block('new'))).toEqual({ kind: 'malformed', reason });
});

test('[E7] marks in a code block are an example, unless nobody closed the fence', () => {
  for (const lineEnd of ['\n', '\r\n']) {
    const example = ['```html', ...block('example').split('\n'), '```', ''].join(lineEnd);
    const first = replaced(example, 'one');
    expect(first.startsWith(example)).toBe(true);
    expect(replaced(first, 'one')).toBe(first);
    expect(replaced(first, 'two').startsWith(example)).toBe(true);
  }
  const open = replaced('```\nnever closed\n', 'one');
  expect(replaced(open, 'one')).toBe(open);
});
