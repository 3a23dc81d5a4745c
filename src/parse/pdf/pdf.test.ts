import { expect, test } from 'vitest';
import type { Extraction } from '../../core/extract/extractor.ts';
import { fileUrl } from '../../core/files/file-url.ts';
import { aPdf, pdfObjects, pdfOf, streamOf, type PdfText } from '../../../test/support/pdf-files.ts';
import { pdf } from './pdf.ts';

async function extract(body: Uint8Array): Promise<Extraction> {
  const extraction = await pdf.extractAsync?.({ url: fileUrl('guide.pdf'), mediaType: null, body });
  if (extraction === undefined) throw new Error('not asynchronous');
  return extraction;
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

test('[L3] a heading is what is larger than the text, its page is its anchor, and its size is its level', async () => {
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

test('[L3] a bold line of its own is a heading where larger headings are bold, and bold text in a paragraph is not', async () => {
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

test('[L3] code that stands apart in a line keeps its column, whatever the width of the blanks before it', async () => {
  const code = [
    { text: 'boil(kettle);', y: 640, isCode: true },
    { text: ' '.repeat(60), x: 128, y: 640, isCode: true },
    { text: '<1>', x: 170, y: 640, isCode: true },
    { text: 'serve();', y: 628, isCode: true },
  ];
  const { document } = await extract(aPdf([[...lines(700, ...PROSE), ...code, ...lines(590, ...PROSE)]]));
  expect(document.text).toContain('```\nboil(kettle);       <1>\nserve();\n```');
});

test('[L3] a font whose letters all have one width is one of code, though the file does not say so', async () => {
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
