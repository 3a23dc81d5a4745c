import { expect, test } from 'vitest';
import { createFileExtractor, type BrowserPage } from './extract-file.ts';
import { partsOf, readLines } from './large-libraries.ts';
import { createPageOpener, packPage } from './packed-page.ts';

const FENCED = `# Ünïcode “quotes” and 💡\n\nWords.\n\n\`\`\`sh\n${'echo a line of a long example\n'.repeat(400)}\`\`\`\n\nThe end.\n`;

async function pageOf(path: string, text: string): Promise<BrowserPage> {
  const extractor = createFileExtractor({ runtime: async () => new Uint8Array(), grammar: async () => null });
  const outcome = await extractor.extract(path, new TextEncoder().encode(text));
  if (outcome.kind !== 'page') throw new Error(outcome.reason);
  return outcome.page;
}

test('a packed page opens as it was, with chunks that repeat a fence', async () => {
  const page = await pageOf('guide/fenced.md', FENCED);
  expect(page.chunks.length).toBeGreaterThan(1);
  expect(page.chunks.some(({ text }) => !page.text.includes(text))).toBe(true);
  const opened = createPageOpener()(packPage(page));
  expect(opened).toMatchObject(page);
  expect(opened.chunks).toEqual(page.chunks);
});

test('half of a surrogate pair survives', async () => {
  const page = await pageOf('a.md', '# Title\n\nSome words about it.\n');
  const torn = { ...page, text: `${page.text}\ud83d` };
  expect(createPageOpener()(packPage(torn)).text).toBe(torn.text);
});

test('a library is read as it was written', async () => {
  const page = await pageOf('guide/fenced.md', FENCED);
  const image = await pageOf('mark.svg', '<svg xmlns="http://www.w3.org/2000/svg"><title>A mark</title></svg>');
  const pages = [page, { ...image, image: new Uint8Array([0, 1, 255]) }].map(packPage);
  const library = {
    name: 'a',
    at: '',
    pipeline: '',
    version: '',
    declaredVersion: null,
    startUrl: null,
    spaces: [],
    leftOut: [],
    pages,
  };
  expect(await readLines(new Blob([...partsOf(library)] as Array<Uint8Array<ArrayBuffer>>))).toEqual(library);
});
