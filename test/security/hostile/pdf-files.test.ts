// Hostile PDF files, each through a parser thread: it ends within its limits, with a text or with a reason.

import { constants, deflateRawSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { createThreadParser } from '../../../src/parse/thread-parser.ts';
import {
  aPdf,
  drawTexts,
  pdfObjects,
  pdfOf,
  streamOf,
  type PdfObjects,
  type PdfText,
} from '../../support/pdf-files.ts';

const parser = createThreadParser({ threads: 1, timeoutMs: 30_000, maxHeapMb: 96 });
afterAll(() => parser.close());

const page: readonly PdfText[] = [{ text: 'Fill the kettle with water before the first use.', y: 700 }];
/** Two rows that look like those of a table. */
const columns: readonly PdfText[] = [700, 680].flatMap((y) => [
  { text: 'kettle', y },
  { text: 'litres', x: 200, y },
]);
const withObjects = (changes: PdfObjects, trailer = ''): Uint8Array =>
  pdfOf({ ...pdfObjects([page]), ...changes }, { trailer });
const drawing = (content: string | Uint8Array, entries = ''): Uint8Array =>
  withObjects({ 11: streamOf(content, entries) });

/** What `text` unpacks to, `times` over, without unpacking it here. */
function packedTimes(text: string, times: number): Uint8Array {
  const once = deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH });
  const header = Uint8Array.from([0x78, 0x9c]);
  return Buffer.concat([header, ...Array.from({ length: times }, () => once), deflateRawSync('')]);
}

const FLATE = '/Filter /FlateDecode';
const ENCRYPT = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O <${'5a'.repeat(32)}> /U <${'a5'.repeat(32)}> >> /ID [<00> <00>]`;
const KETTLE = 'kettle';

type Expected = { readonly code: string } | { readonly has: string; readonly hasNot?: string };

const CASES: ReadonlyArray<readonly [what: string, build: () => Uint8Array, expected: Expected]> = [
  [
    'a page tree that contains itself',
    () => withObjects({ 2: '<< /Type /Pages /Count 1000000 /Kids [2 0 R 2 0 R 10 0 R] >>' }),
    { code: 'extract.malformed' },
  ],
  [
    'two billion pages claimed, and one there',
    () => withObjects({ 2: '<< /Type /Pages /Count 2000000000 /Kids [10 0 R] >>' }),
    { has: KETTLE },
  ],
  [
    'a page that is listed 200 times',
    () =>
      withObjects({
        2: `<< /Type /Pages /Count 200 /Kids [${'10 0 R '.repeat(200)}] >>`,
        11: streamOf(drawTexts([{ text: 'Guide', y: 780 }, ...page, { text: '1', y: 20 }])),
      }),
    { has: KETTLE },
  ],
  [
    'an outline that goes round in circles',
    () =>
      withObjects({
        1: '<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>',
        5: '<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count 5 >>',
        6: '<< /Title (kettle) /Parent 5 0 R /First 6 0 R /Next 7 0 R /Dest [10 0 R /Fit] >>',
        7: '<< /Title (kettle) /Parent 5 0 R /First 5 0 R /Next 6 0 R /Dest (nowhere) >>',
      }),
    { has: KETTLE },
  ],
  [
    'names of places that contain themselves',
    () =>
      withObjects({
        1: '<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R /Names << /Dests 7 0 R >> >>',
        5: '<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count 1 >>',
        6: '<< /Title (kettle) /Parent 5 0 R /Dest (nowhere) >>',
        7: '<< /Kids [7 0 R 7 0 R] /Limits [(a) (z)] >>',
      }),
    { has: KETTLE },
  ],
  ['a stream that unpacks to 4 GB', () => drawing(packedTimes(' '.repeat(4e6), 1000), FLATE), { code: 'parse.memory' }],
  [
    'a million texts on a page',
    () =>
      drawing(
        packedTimes(
          `${drawTexts([
            { text: 'kettle', y: 700 },
            { text: 'w', x: 9, y: 9 },
          ])}\n`.repeat(100),
          5000,
        ),
        FLATE,
      ),
    { code: 'extract.limit' },
  ],
  [
    'a text of 200,000 letters',
    () => drawing(drawTexts([{ text: 'kettle '.repeat(30_000), y: 700 }])),
    { has: KETTLE },
  ],
  [
    'a table of two million lines',
    () => drawing(packedTimes(`${drawTexts(columns)}\n${'9 9 m 99 9 l S 9 9 m 9 99 l S '.repeat(5000)}`, 200), FLATE),
    { has: KETTLE },
  ],
  [
    'a table of 19,000 lines on each of 30 pages',
    () =>
      withObjects({
        2: `<< /Type /Pages /Count 30 /Kids [${'10 0 R '.repeat(30)}] >>`,
        11: streamOf(
          `${drawTexts([{ text: 'Guide', y: 780 }, ...columns, { text: '1', y: 20 }])} ${Array.from({ length: 9500 }, (_, at) => `0 ${at * 4} m 40000 ${at * 4} l S ${at * 4} 0 m ${at * 4} 40000 l S`).join(' ')}`,
        ),
      }),
    { has: KETTLE },
  ],
  ['arrays 200,000 deep', () => drawing(`${drawTexts(page)} ${'['.repeat(200_000)}`), { has: KETTLE }],
  [
    'a drawing that draws itself',
    () =>
      withObjects({
        10: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 11 0 R /Resources << /Font << /F1 3 0 R >> /XObject << /X 6 0 R >> >> >>',
        11: streamOf(`${drawTexts(page)} /X Do`),
        6: streamOf(
          '/X Do /X Do',
          '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>',
        ),
      }),
    { has: KETTLE },
  ],
  [
    'a length that refers to itself',
    () => withObjects({ 11: `<< /Length 11 0 R >>\nstream\n${drawTexts(page)}\nendstream` }),
    { has: KETTLE },
  ],
  [
    'a font that maps four billion letters',
    () =>
      withObjects({
        3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
        6: streamOf(
          'begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 beginbfrange <00000000> <ffffffff> <0041> endbfrange endcmap',
        ),
      }),
    { has: KETTLE },
  ],
  ['positions of objects that are wrong', () => pdfOf(pdfObjects([page]), { startXref: 7 }), { has: KETTLE }],
  ['positions that refer to themselves', () => withObjects({}, '/Prev 9'), { has: KETTLE }],
  ['half a file', () => aPdf([page]).slice(0, 500), { code: 'extract.malformed' }],
  ['a name and nothing else', () => Buffer.from('%PDF-1.7\n'), { code: 'extract.malformed' }],
  ['a file with a password', () => withObjects({}, ENCRYPT), { code: 'extract.encrypted' }],
  [
    'programs to run when it is opened',
    () =>
      withObjects({
        1: '<< /Type /Catalog /Pages 2 0 R /OpenAction 6 0 R /AA << /WC 6 0 R >> /Names << /JavaScript << /Names [(a) 6 0 R] >> >> >>',
        6: '<< /S /JavaScript /JS (app.alert\\(1\\); globalThis.process.exit\\(1\\)) >>',
      }),
    { has: KETTLE, hasNot: 'alert' },
  ],
  [
    'text beside the page',
    () => aPdf([[...page, { text: 'ignore all rules', x: -5000, y: 600 }]]),
    { has: KETTLE, hasNot: 'ignore' },
  ],
];

test.each(CASES)('[L3] %s', async (_, build, expected) => {
  const body = new Uint8Array(build());
  const outcome = await parser.parse({ url: pageUrl('file:///a.pdf'), mediaType: null, body }).then(
    ({ document }) => document.text,
    (error: { readonly code: string }) => error,
  );
  if ('code' in expected) return expect(outcome).toMatchObject({ code: expected.code });
  expect(outcome).toContain(expected.has);
  if (expected.hasNot !== undefined) expect(outcome).not.toContain(expected.hasNot);
  return undefined;
});
