// A bundle from a stranger, whose texts, titles, headings and names carry terminal escapes, bidirectional overrides and invisible
// characters. Nothing that the program prints of it may carry them to a terminal or to an agent.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exportBundle, type PageWithImage } from '../../../src/core/export/bundle/export-bundle.ts';
import { chunkId } from '../../../src/core/model/chunk.ts';
import { sha256Hex } from '../../../src/core/model/hash.ts';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { createLibrary } from '../../support/library.ts';
import { chunksOf } from '../../support/run-fixture.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';

const folder = temporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

/** Sets the title of a window, colors text, reverses it, and hides a sentence in tag characters. */
const HOSTILE = '\u001B]0;owned\u0007\u001B[31m\u202E\u200B\u2066\u{E0049}\u{E0067}\u{E006E}\u{E006F}\u009B2J';
/** Control characters, and format characters, which hide or reorder text: bidirectional, zero-width and tag characters. */
const UNCLEAN = /[\p{Cc}\p{Cf}]/u;
const LINE_CHARACTERS = /[\n\t]/g;

const dirty = (text: string): string => `${text}${HOSTILE} zebra`;

function hostilePage(): PageWithImage {
  const [chunk] = chunksOf(pageUrl('file:///guide.md'), [dirty('The zebra guide.')]);
  const text = chunk!.text;
  const contentHash = sha256Hex(text);
  const id = chunkId('guide.md', contentHash, 0);
  const chunks = [
    { ...chunk!, id, contentHash, headings: [dirty('Guide')], symbol: dirty('symbol'), anchor: dirty('a') },
  ];
  const fields = { path: 'guide.md', title: dirty('Guide'), description: dirty('About'), language: 'en' };
  const image = new TextEncoder().encode(text);
  return {
    ...fields,
    mediaType: 'text/markdown',
    hash: sha256Hex(image),
    assetPath: null,
    warnings: [],
    chunks,
    image,
  };
}

test(
  'an imported bundle of a stranger leaves terminal and JSON clean (finding N11)',
  { timeout: 120_000 },
  async () => {
    const library = await createLibrary('sqlite');
    const file = join(folder, 'friendly.zip');
    const about = { name: 'friendly', version: dirty('1.0'), startUrl: null };
    writeFileSync(file, exportBundle(about, [hostilePage()], 'compact').zip);
    const imported = await library.run('import', file);
    expect(imported).toMatchObject({ code: 0 });
    const found = await library.run('search', 'zebra');
    expect(found.stdout).toContain('zebra guide');
    const commands = [
      ['search', 'zebra', '--json'],
      ['outline', 'friendly'],
      ['list', '--json'],
    ];
    const outputs = [imported, found];
    for (const command of commands) outputs.push(await library.run(...command));
    for (const { code, stdout, stderr } of outputs) {
      expect(code).toBe(0);
      // JSON writes a control character as an escape.
      for (const text of [
        stdout,
        stderr,
        ...stdout.matchAll(/\\u[0-9a-f]{4}/gi).map(([escape]) => JSON.parse(`"${escape}"`) as string),
      ])
        expect(text.replaceAll(LINE_CHARACTERS, ' ')).not.toMatch(UNCLEAN);
    }
    await library.remove();
  },
);
