import { expect, test } from 'vitest';
import { documentedApi, type ComparedPage } from './documented-api.ts';
import { releaseNotes } from './release-notes.ts';

function page(path: string, title: string, ...sections: ReadonlyArray<readonly [heading: string, text: string]>) {
  const lines = [`# ${title}`, ''];
  const outline = [{ level: 1, text: title, anchor: null, line: 1 }];
  for (const [text, body] of sections) {
    outline.push({ level: 2, text, anchor: null, line: lines.length + 1 });
    lines.push(`## ${text}`, '', body, '');
  }
  return { path, title, text: lines.join('\n'), outline } satisfies ComparedPage;
}

const notes = (before: string, after: string, ...pages: readonly ComparedPage[]) =>
  releaseNotes(before, after, documentedApi([]), documentedApi(pages)).map(({ heading }) => heading);

test('the guide to another major version is left out, even if its text changed', () => {
  const guides = ['4', '5'].map((major) =>
    page(`Migration-Guide-V${major}.md`, `V${major} Migration Guide`, ['A', 'b']),
  );
  expect(notes('4.29.1', '5.12.8', ...guides)).toEqual(['V5 Migration Guide › A']);
  expect(notes('7.30.2', '8.1.0', page('migrating-from-v7-to-v8.md', 'Migrating', ['A', 'b']))).toHaveLength(1);
  expect(notes('4.0.0', '5.0.0', page('UPGRADING.md', 'Upgrading', ['Requires Node.js 20.9', 'b']))).toHaveLength(1);
});

test('migration guides come first, then breaking changes of the changelog', () => {
  const changelog = page(
    'CHANGELOG.md',
    'Changelog',
    ['2.0.1 patch', 'a'],
    ['2.0.0 breaking changes', 'b'],
    ['1.0.0', 'c'],
  );
  const guide = page('docs/upgrade.md', 'Upgrade', ['Rename it', 'd']);
  expect(notes('1.0.0', '2.0.1', changelog, guide)).toEqual([
    'Upgrade › Rename it',
    'Changelog › 2.0.0 breaking changes',
    'Changelog › 2.0.1 patch',
  ]);
});
