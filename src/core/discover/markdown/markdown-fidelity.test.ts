import { expect, test } from 'vitest';
import { addFidelities, compareMarkdown, describeFidelity, isFaithful } from './markdown-fidelity.ts';

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
  const fidelity = compareMarkdown(published, EXTRACTED);
  expect(describeFidelity(fidelity)).toBe('100 % of the words, 1 of 1 code blocks and 1 of 1 tables');
  expect(isFaithful(fidelity)).toBe(true);
});

test("a table that falls apart makes a site's own Markdown unusable (finding T1.17)", () => {
  const published = EXTRACTED.replace(
    /\| Name[^]*instance \|/,
    ' |\n\n`app`\n  |\n\nThe application instance\n  |\n\nName Meaning',
  );
  const fidelity = compareMarkdown(published, EXTRACTED);
  expect(describeFidelity(fidelity)).toBe('100 % of the words, 1 of 1 code blocks and 0 of 1 tables');
  expect(isFaithful(fidelity)).toBe(false);
});

test('missing words and missing code count too, over all pages together', () => {
  const whole = compareMarkdown(EXTRACTED, EXTRACTED);
  expect(isFaithful(compareMarkdown(EXTRACTED.replace(/```[^]*```/, ''), EXTRACTED))).toBe(false);
  expect(isFaithful(compareMarkdown(EXTRACTED.replace('building blocks', ''), EXTRACTED))).toBe(false);
  const oneWord = compareMarkdown(EXTRACTED.replace('building', ''), EXTRACTED);
  expect(isFaithful(addFidelities([oneWord, whole, whole]))).toBe(true);
});

test('what the HTML does not have is no loss: an empty shell keeps the Markdown', () => {
  expect(isFaithful(compareMarkdown(EXTRACTED, ''))).toBe(true);
});
