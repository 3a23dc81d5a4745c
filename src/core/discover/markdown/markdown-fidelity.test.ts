import { expect, test } from 'vitest';
import type { OutlineEntry } from '../../model/document.ts';
import {
  addFidelities,
  compareMarkdown,
  describeFidelity,
  isFaithful,
  type MarkdownFidelity,
} from './markdown-fidelity.ts';

function compare(published: string, extracted: string): MarkdownFidelity {
  return compareMarkdown({ text: published, outline: [] }, { text: extracted, outline: [] });
}

const EXTRACTED = `# Tasks

Tasks are the building blocks of [Celery](https://docs.example.dev/celery) applications.

| Name | Meaning |
| --- | --- |
| \`app\` | The application instance |

\`\`\`python
@app.task
def add(x, y):
    return x + y
\`\`\`
`;

test('the same content in other Markdown is kept in full', () => {
  const published = EXTRACTED.replace('https://docs.example.dev/celery', '/celery.md "Celery"').replaceAll(
    '```',
    '~~~',
  );
  const fidelity = compare(published, EXTRACTED);
  expect(describeFidelity(fidelity)).toBe('100 % of the words, 1 of 1 code blocks, 1 of 1 tables');
  expect(isFaithful(fidelity)).toBe(true);
});

test("a table that falls apart makes a site's own Markdown unusable (finding T1.17)", () => {
  const published = EXTRACTED.replace(
    /\| Name[^]*instance \|/,
    ' |\n\n`app`\n  |\n\nThe application instance\n  |\n\nName Meaning',
  );
  const fidelity = compare(published, EXTRACTED);
  expect(describeFidelity(fidelity)).toBe('100 % of the words, 1 of 1 code blocks, 0 of 1 tables');
  expect(isFaithful(fidelity)).toBe(false);
});

test('missing words and missing code count too, over all pages together', () => {
  const whole = compare(EXTRACTED, EXTRACTED);
  expect(isFaithful(compare(EXTRACTED.replace(/```[^]*```/, ''), EXTRACTED))).toBe(false);
  expect(isFaithful(compare(EXTRACTED.replace('building blocks', ''), EXTRACTED))).toBe(false);
  const oneWord = compare(EXTRACTED.replace('building', ''), EXTRACTED);
  expect(isFaithful(addFidelities([oneWord, whole, whole]))).toBe(true);
});

test('what the HTML does not have is no loss: an empty shell keeps the Markdown', () => {
  expect(isFaithful(compare(EXTRACTED, ''))).toBe(true);
});

test('Markdown that loses the anchors of definitions is not used (finding T2)', () => {
  const definition = { symbol: 'app.task', lastLine: 9 };
  const entry: OutlineEntry = { level: 2, text: 'app.task', anchor: 'app.task', line: 3, definition };
  const html = { text: EXTRACTED, outline: [entry] };
  expect(isFaithful(compareMarkdown(html, html))).toBe(true);
  expect(isFaithful(compareMarkdown({ text: EXTRACTED, outline: [] }, html))).toBe(false);
});
