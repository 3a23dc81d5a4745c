import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanLine, cleanText, mayBeUnclean } from './clean-text.ts';
import { workMs } from '../../../../test/support/work-time.ts';

test('ordinary text, tabs and accents pass unchanged', () => {
  const text = 'naïve\tcafé\n日本語 ✓\n';
  expect(cleanText(text)).toBe(text);
});

test('bidi controls are removed from code', () => {
  expect(cleanText('if (admin\u202E \u2066// check\u2069 \u2066) {')).toBe('if (admin // check ) {');
});

test('tag characters and supplementary variation selectors are removed', () => {
  expect(cleanText('Safe\u{E0069}\u{E0067}\u{E0001} text\u{E0100}')).toBe('Safe text');
});

test('a zero-width space and a soft hyphen do not split a word', () => {
  expect(cleanText('pass\u200Bword re\u00ADset')).toBe('password reset');
});

test('joiners stay if scripts or emoji need them and are removed next to ASCII', () => {
  expect(cleanText('👩\u200D💻 می\u200Cخواهم a\u200Db é\u200D\u200Cb می\u200C')).toBe(
    '👩\u200D💻 می\u200Cخواهم ab éb می',
  );
});

test('fillers that look like nothing, or like a space, are removed', () => {
  expect(cleanText('a\u3164b\u115F\u1160c\u034Fd\u17B4\u17B5e\u2065f')).toBe('abcdef');
});

test('one variation selector of a symbol stays, a run of them may carry hidden bytes and is cut', () => {
  expect(cleanText('❤\uFE0F x\uFE0F\uFE01\uFE02\uFE03')).toBe('❤\uFE0F x');
});

test('ANSI sequences are removed whole', () => {
  expect(cleanText('\u001B[31mred\u001B[0m \u001B]0;title\u0007ok \u009B1mx')).toBe('red ok x');
  expect(cleanText('a\0\u001B[31mb')).toBe('ab');
});

test('line ends become line feeds and NUL is removed', () => {
  expect(cleanText('a\r\nb\rc\u2028d\u0000e')).toBe('a\nb\nc\nde');
});

test('a lone surrogate becomes the replacement character, a pair stays', () => {
  expect(cleanText('\uD800x \uDFFF 😀')).toBe('\uFFFDx \uFFFD 😀');
});

test('cleaning twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(cleanText(cleanText(text))).toBe(cleanText(text));
    }),
  );
});

test('a line is one line', () => {
  expect(cleanLine(' ok\n2026 ERROR \u001B[31m x ')).toBe('ok 2026 ERROR x');
});

test('a joiner does not hide behind another invisible character', () => {
  expect(cleanText('a\u202E\u200D\u200Db')).toBe('ab');
});

test('what is not marked as unclean has nothing to clean', () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const text = String.fromCodePoint(code);
    if (!mayBeUnclean(text) && cleanText(`${text}\0`) !== text) expect(code.toString(16)).toBe('marked as unclean');
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const isChanged = cleanText(`${text}\0`) !== text;
      expect(mayBeUnclean(text) || !isChanged).toBe(true);
    }),
  );
});

test.each([
  ['joiners between letters', `é${'\u200D'.repeat(200_000)}é`],
  ['joiners before ASCII', `é${'\u200C\u200D'.repeat(100_000)}a`],
  ['variation selectors', `é${'\uFE0F\u200D'.repeat(100_000)}a`],
  ['unfinished escape sequences', '\u001B[0;'.repeat(100_000)],
])('%s are cleaned in linear time', (_, text) => {
  expect(workMs(() => cleanText(text))).toBeLessThan(1000);
});

test('invisible characters carry nothing, in runs or one after every letter (finding V25)', () => {
  const hidden = [
    '\u{1D173}',
    '\u{1D17A}',
    '\u180B',
    '\u180D',
    '\u180F',
    '\uFFA0',
    '\uFFF0',
    '\uFFF8',
    '\u{1BCA0}',
    '\u{1BCA3}',
  ];
  for (const one of hidden) expect(cleanText(`rm${one.repeat(18)} -rf`)).toBe('rm -rf');
  expect(cleanText(Array.from('curl\u00E9', (letter) => `${letter}\uFE0F`).join(''))).toBe('curl\u00E9');
});

test('joiners between other letters carry nothing in runs, and one of them stays (finding V25)', () => {
  const run = '\u200C\u200D'.repeat(100);
  for (const [before, after] of [
    ['\u0645\u06CC', '\u062E'],
    ['\u{1F469}', '\u{1F4BB}'],
  ]) {
    expect(cleanText(`${before}${run}${after}`)).toBe(`${before}\u200C${after}`);
    expect(cleanText(`${before}\u200D${after}`)).toBe(`${before}\u200D${after}`);
  }
  expect(cleanText(`a${run}\u0645${run}b`)).toBe('a\u0645b');
  expect(cleanText(`\u{13000}${'\u{13430}\u{1343F}'.repeat(50)}\u{13001}`)).toBe('\u{13000}\u{13001}');
});

test('selectors that scripts and emoji need stay (finding V25)', () => {
  for (const text of ['\u2764\uFE0F', '1\uFE0F\u20E3', '\u845B\uFE00', '\u2229\uFE00', '\u1820\u180B'])
    expect(cleanText(text)).toBe(text);
});
