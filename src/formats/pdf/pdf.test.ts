import { expect, test } from 'vitest';
import type { Extraction } from '../../core/extract/extractor.ts';
import { fileUrl } from '../../core/files/file-url.ts';
import { aPdf, drawTexts, pdfObjects, pdfOf, streamOf, type PdfText } from '../../../test/support/pdf-files.ts';
import { extractPdf } from './pdf.ts';

function extract(body: Uint8Array): Promise<Extraction> {
  return extractPdf({ url: fileUrl('guide.pdf'), mediaType: null, body });
}

/** Lines of a paragraph, from `y` down. */
function lines(y: number, ...texts: readonly string[]): readonly PdfText[] {
  return texts.map((text, at) => ({ text, y: y - 12 * at }));
}

const PROSE = [
  'The kettle boils water in about three minutes and then switches',
  'itself off. It must never be filled above the line that is marked',
  'on its side, because boiling water would spill over the rim.',
];

test('[L3] a paragraph is joined from its lines, and a word that was divided is whole again', async () => {
  const { document } = await extract(
    aPdf([lines(700, 'The kettle boils water in about three min-', 'utes and then it', 'switches itself off.')]),
  );
  expect(document.text).toBe('The kettle boils water in about three minutes and then it switches itself off.\n');
});

test('[L3] larger text is a heading, with its page as anchor and its size as level', async () => {
  const page = (title: string, below: string): readonly PdfText[] => [
    { text: title, y: 740, size: 20 },
    ...lines(700, ...PROSE),
    { text: below, y: 640, size: 14 },
    ...lines(610, ...PROSE),
  ];
  const { document } = await extract(aPdf([page('First use', 'Filling'), page('Cleaning', 'Scale')]));
  expect(document.outline.map(({ level, text, anchor }) => [level, text, anchor])).toEqual([
    [1, 'First use', 'page=1'],
    [2, 'Filling', 'page=1'],
    [1, 'Cleaning', 'page=2'],
    [2, 'Scale', 'page=2'],
  ]);
});

test('[L3] a separate bold line is a heading where larger headings are bold', async () => {
  const page = (title: string, below: string): readonly PdfText[] => [
    { text: title, y: 740, size: 20, isBold: true },
    ...lines(700, ...PROSE),
    { text: below, y: 640, isBold: true },
    ...lines(620, ...PROSE),
    { text: 'Beware of the steam.', y: 560, isBold: true },
  ];
  const { document } = await extract(aPdf([page('First use', 'Filling'), page('Cleaning', 'Scale')]));
  expect(document.outline.map(({ level, text }) => [level, text])).toEqual([
    [1, 'First use'],
    [2, 'Filling'],
    [1, 'Cleaning'],
    [2, 'Scale'],
  ]);
});

test('[L3] a title of the outline is a heading on its page, though it is no larger than the text', async () => {
  const page = [
    { text: 'Filling', y: 740 },
    ...lines(700, ...PROSE),
    { text: 'Scale', y: 630 },
    ...lines(600, ...PROSE),
  ];
  const { document } = await extract(
    aPdf(
      [page, page],
      [
        { title: '1 Filling', page: 1 },
        { title: '2 Scale', page: 2 },
      ],
    ),
  );
  expect(document.outline.map(({ text, anchor }) => [text, anchor])).toEqual([
    ['Filling', 'page=1'],
    ['Scale', 'page=2'],
  ]);
});

test('[L3] lines of a font of one width are code, with their indentation and blank lines', async () => {
  const code = [
    { text: 'if (kettle.isFull) {', y: 640, isCode: true },
    { text: 'boil(kettle);', x: 62, y: 628, isCode: true },
    { text: '}', y: 616, isCode: true },
    { text: 'serve();', y: 592, isCode: true },
  ];
  const { document } = await extract(aPdf([[...lines(700, ...PROSE), ...code, ...lines(560, ...PROSE)]]));
  expect(document.text).toContain('```\nif (kettle.isFull) {\n  boil(kettle);\n}\n\nserve();\n```');
});

test('[L3] code that stands apart in a line keeps its column', async () => {
  const code = [
    { text: 'boil(kettle);', y: 640, isCode: true },
    { text: ' '.repeat(60), x: 128, y: 640, isCode: true },
    { text: '<1>', x: 170, y: 640, isCode: true },
    { text: 'serve();', y: 628, isCode: true },
  ];
  const { document } = await extract(aPdf([[...lines(700, ...PROSE), ...code, ...lines(590, ...PROSE)]]));
  expect(document.text).toContain('```\nboil(kettle);       <1>\nserve();\n```');
});

test('[L3] a monospaced font is code, even if the file does not flag it', async () => {
  const texts = ['while (will) mill();', 'i.ll();', 'WWW.mmm(OOO);', 'lilli = wow', 'iii.jjj', 'Mom @ Wow'];
  const objects = pdfObjects([
    [...lines(700, ...PROSE), ...texts.map((text, at) => ({ text, y: 620 - 12 * at, isCode: true }))],
  ]);
  const widths = Array.from({ length: 95 }, () => 600).join(' ');
  objects[4] = `<< /Type /Font /Subtype /TrueType /BaseFont /Unknown /FirstChar 32 /LastChar 126 /Widths [${widths}] /FontDescriptor 6 0 R >>`;
  objects[6] =
    '<< /Type /FontDescriptor /FontName /Unknown /Flags 32 /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontBBox [0 0 600 800] >>';
  const { document } = await extract(pdfOf(objects));
  expect(document.text).toContain(`\`\`\`\n${texts.join('\n')}\n\`\`\``);
});

test('[L3] lines with bullets are a list', async () => {
  const { document } = await extract(
    aPdf([[...lines(700, ...PROSE), ...lines(650, '- Fill the kettle', '- Close the lid', '- Switch it on')]]),
  );
  expect(document.text).toContain('- Fill the kettle\n- Close the lid\n- Switch it on\n');
});

test('[L3] heads and feet of pages, page numbers and tables of contents are left out', async () => {
  const page = (number: number): readonly PdfText[] => [
    { text: 'Kettle guide', y: 780 },
    ...lines(700, ...PROSE),
    { text: `${number}`, y: 20 },
  ];
  const contents = ['Use', 'Filling', 'Scale', 'Repair', 'Waste', 'Index'].map((title, at) => ({
    text: `${title} . . . . . . . . . . . ${at}`,
    y: 600 - 12 * at,
  }));
  const { document } = await extract(
    aPdf([[{ text: 'Contents', y: 640, size: 20 }, ...contents], page(1), page(2), page(3)]),
  );
  expect(document.text).not.toMatch(/Kettle guide|\d|Contents|Waste/);
  expect(document.text.match(/The kettle boils/g)).toHaveLength(3);
});

test('[L3] a chapter label and the title below it are one heading', async () => {
  const page = [
    { text: 'Appendix A', y: 760, size: 14 },
    { text: 'Recipes for tea', y: 730, size: 20 },
    ...lines(690, ...PROSE),
  ];
  const { document } = await extract(aPdf([page]));
  expect(document.outline.map(({ text }) => text)).toEqual(['Appendix A Recipes for tea']);
});

test('[L3] pages that are pictures are reported as such', async () => {
  const objects = pdfObjects([[], []]);
  objects[11] = objects[13] = streamOf('q 600 0 0 800 0 0 cm /I Do Q');
  await expect(extract(pdfOf(objects))).rejects.toMatchObject({ code: 'extract.scanned', details: { pages: 2 } });
});

test('[L3] the title and the language come from the file, unless the title is the name of one', async () => {
  const objects = pdfObjects([lines(700, ...PROSE)]);
  objects[6] = '<< /Title (Kettle guide) >>';
  objects[7] = '<< /Title (kettle-final.docx) >>';
  const titles = [6, 7].map(
    async (info) => (await extract(pdfOf(objects, { trailer: `/Info ${info} 0 R` }))).document.title,
  );
  expect(await Promise.all(titles)).toEqual(['Kettle guide', 'guide.pdf']);
});

/** Pages with texts and what is drawn around them. */
function drawn(...pages: ReadonlyArray<readonly [texts: readonly PdfText[], drawing: string]>): Uint8Array {
  const objects = pdfObjects(pages.map(([texts]) => texts));
  for (const [at, [texts, drawing]] of pages.entries())
    objects[11 + 2 * at] = streamOf(`${drawing}\n${drawTexts(texts)}`);
  return pdfOf(objects);
}

/** Two columns of texts at x 50 and 150, from 640 down; the rows are 20 high. */
function columns(...rows: ReadonlyArray<readonly [string, string]>): readonly PdfText[] {
  return rows.flatMap(([left, right], at) => [
    { text: left, y: 640 - 20 * at },
    { text: right, x: 150, y: 640 - 20 * at },
  ]);
}

const SIZES = columns(['Kettle', 'Litres'], ['small', '0.8'], ['large', '1.7']);
const SIZES_TABLE = '| Kettle | Litres |\n| --- | --- |\n| small | 0.8 |\n| large | 1.7 |\n';
const edges = [654, 634, 614, 594];
const line = (...[x, y, toX, toY]: readonly [number, number, number, number]): string =>
  `${x} ${y} m ${toX} ${toY} l S`;

test.each([
  ['lines', [...edges.map((y) => line(45, y, 245, y)), ...[45, 145, 245].map((x) => line(x, 654, x, 594))].join(' ')],
  [
    'thin rectangles',
    [...edges.map((y) => `45 ${y} 200 0.4 re f`), ...[45, 145, 245].map((x) => `${x} 594 0.4 60 re f`)].join(' '),
  ],
  [
    'a frame for each cell, apart from each other, in a moved and scaled drawing',
    `q 2 0 0 2 40 590 cm ${edges
      .slice(1)
      .map((y) => `${[45, 145].map((x) => `${(x - 39) / 2} ${(y - 589) / 2} 49 9 re`).join(' ')} S`)
      .join(' ')} Q`,
  ],
  ['lines without those at the sides', [...edges.map((y) => line(45, y, 245, y)), line(145, 654, 145, 594)].join(' ')],
])('[L3] texts in a grid of %s are a table', async (_, drawing) => {
  const texts = [...lines(700, ...PROSE), ...SIZES, ...lines(560, ...PROSE)];
  const { document } = await extract(drawn([texts, drawing]));
  const prose = `${PROSE.join(' ')}\n`;
  expect(document.text).toBe(`${prose}\n${SIZES_TABLE}\n${prose}`);
});

const GRID = [...edges.map((y) => line(45, y, 245, y)), ...[45, 145, 245].map((x) => line(x, 654, x, 594))].join(' ');

test('[L3] a cell may have several lines and span columns', async () => {
  const texts = [
    { text: 'Sizes of kettles', y: 640 },
    { text: 'small', y: 625 },
    { text: 'and light', y: 616 },
    { text: '0.8', x: 150, y: 620 },
    { text: 'large', y: 600 },
    { text: '1.7', x: 150, y: 600 },
  ];
  const drawing = [...edges.map((y) => line(45, y, 245, y)), line(145, 634, 145, 594), '45 594 200 60 re S'].join(' ');
  const { document } = await extract(drawn([texts, drawing]));
  expect(document.text).toContain('<th colspan="2">Sizes of kettles</th>');
  expect(document.text).toContain('<td>small and light</td><td>0.8</td>');
});

test('[L3] a table that goes on on the next page is one table, with one head', async () => {
  const more = columns(['Kettle', 'Litres'], ['huge', '3.1'], ['tiny', '0.3']);
  const { document } = await extract(drawn([SIZES, GRID], [more, GRID]));
  expect(document.text).toBe(`${SIZES_TABLE}| huge | 3.1 |\n| tiny | 0.3 |\n`);
});

test('[L3] frames, charts and columns without rules are no tables', async () => {
  const frame = '45 594 200 60 re S 45 634 m 245 634 l S';
  const chart = `${GRID} ${[265, 285, 305, 325, 345].map((x) => line(x, 654, x, 594)).join(' ')} ${edges.map((y) => line(45, y, 345, y)).join(' ')}`;
  for (const drawing of ['', frame, chart]) {
    const { document } = await extract(drawn([SIZES, drawing]));
    expect(document.text).toContain('Kettle Litres');
    expect(document.text).not.toContain('|');
  }
});
