import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { pageUrl } from '../core/model/page-url.ts';
import { createExtractorRegistry } from '../core/extract/extractor-registry.ts';
import { portableExtractors } from './formats.ts';

const registry = createExtractorRegistry(portableExtractors);
const zip = (parts: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));
const read = async (name: string, parts: Readonly<Record<string, string>>, mediaType: string | null = null) =>
  (await registry.extractAsync({ url: pageUrl(`file:///${name}`), mediaType, body: zip(parts) })).document;

const W = 'xmlns:w="w" xmlns:r="r"';
const docxOf = (body: string, more: Readonly<Record<string, string>> = {}) => ({
  '[Content_Types].xml': '<Types/>',
  'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`,
  'word/styles.xml': `<w:styles ${W}>
    <w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>
    <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
    <w:style w:type="paragraph" w:styleId="Chapter"><w:name w:val="My chapter"/><w:basedOn w:val="berschrift1"/></w:style>
    <w:style w:type="paragraph" w:styleId="Toc"><w:name w:val="toc 1"/></w:style>
    <w:style w:type="paragraph" w:styleId="Pre"><w:name w:val="Listing 3"/><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr></w:style>
  </w:styles>`,
  'word/numbering.xml': `<w:numbering ${W}><w:abstractNum w:abstractNumId="7">
    <w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
    <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val="-"/></w:lvl></w:abstractNum>
    <w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num></w:numbering>`,
  ...more,
});
const p = (text: string, style = '', run = '') =>
  `<w:p><w:pPr>${style === '' ? '' : `<w:pStyle w:val="${style}"/>`}</w:pPr><w:r><w:rPr>${run}</w:rPr><w:t>${text}</w:t></w:r></w:p>`;
const item = (text: string, level: number) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="3"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

test('[L3] a Word document keeps headings, lists, code, tables, links and notes', async () => {
  const body = [
    p('The manual', 'T'),
    p('1 Install', 'Toc'),
    p('Install', 'berschrift1'),
    '<w:p><w:r><w:t xml:space="preserve">See </w:t></w:r><w:hyperlink r:id="r1"><w:r><w:t>the si</w:t></w:r><w:r><w:t>te</w:t></w:r></w:hyperlink><w:r><w:footnoteReference w:id="2"/></w:r><w:del><w:r><w:t>old</w:t></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r></w:p>',
    item('first', 0),
    item('inner', 1),
    item('second', 0),
    p('if (a) {', 'Pre'),
    p('}', 'Pre'),
    p('Use', 'Chapter'),
    '<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc>' + p('Name') + '</w:tc><w:tc>' + p('Value') + '</w:tc></w:tr>',
    '<w:tr><w:tc>' + p('a') + '</w:tc><w:tc>' + p('1', '', '<w:rFonts w:ascii="Consolas"/>') + '</w:tc></w:tr></w:tbl>',
  ];
  const { title, text, outline, links } = await read(
    'a.docx',
    docxOf(body.join(''), {
      'word/_rels/document.xml.rels':
        '<Relationships><Relationship Id="r1" Target="https://x.dev/" TargetMode="External"/></Relationships>',
      'word/footnotes.xml': `<w:footnotes ${W}><w:footnote w:id="2">${p('A note.')}</w:footnote></w:footnotes>`,
    }),
  );
  expect(title).toBe('The manual');
  expect(outline.map(({ level, text: heading }) => `${level} ${heading}`)).toEqual([
    '1 The manual',
    '1 Install',
    '1 Use',
  ]);
  expect(links.map(({ href }) => href)).toEqual(['https://x.dev/']);
  expect(text).toBe(
    [
      '# The manual',
      '# Install',
      'See [the site](https://x.dev/)[1]',
      '1. first\n   - inner\n2. second',
      '```\nif (a) {\n}\n```',
      '# Use',
      '| Name | Value |\n| --- | --- |\n| a | `1` |',
      '[1] A note.\n',
    ].join('\n\n'),
  );
});

test('merged cells of a Word table stay merged', async () => {
  const cell = (text: string, properties: string) => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
  const rows = [
    cell('both', '<w:gridSpan w:val="2"/>'),
    cell('tall', '<w:vMerge w:val="restart"/>') + cell('x', ''),
    cell('', '<w:vMerge/>') + cell('y', ''),
  ];
  const { text } = await read('a.docx', docxOf(`<w:tbl>${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`));
  expect(text).toContain('<td colspan="2">both</td>');
  expect(text).toContain('<td rowspan="2">tall</td>');
});

const ODT_MIME = { mimetype: 'application/vnd.oasis.opendocument.text' };
const odtOf = (body: string) => ({
  ...ODT_MIME,
  'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:style="s" xmlns:fo="f" xmlns:xlink="x">
    <office:automatic-styles>
      <style:style style:name="P1" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>
      <style:style style:name="Preformatted_20_Text" style:family="paragraph"/>
      <style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
      <style:style style:name="T2" style:family="text"><style:text-properties text:display="none"/></style:style>
      <text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>
    </office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
});

test('[L3] an OpenDocument text keeps headings, lists, code, tables, links and notes', async () => {
  const { text, outline } = await read(
    'a.odt',
    odtOf(`<text:table-of-content><text:p>1 Install</text:p></text:table-of-content>
      <text:h text:outline-level="2">Install</text:h>
      <text:p>A <text:span text:style-name="T1">bold</text:span><text:span text:style-name="T2">unseen</text:span> <text:a xlink:href="https://x.dev/">link</text:a><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note></text:p>
      <text:list text:style-name="L1"><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>
      <text:p text:style-name="P1">if (a) {</text:p><text:p text:style-name="P1"><text:s text:c="2"/>b</text:p>
      <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Name</text:p></table:table-cell></table:table-row></table:table-header-rows>
      <table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>`),
  );
  expect(outline.map(({ level, text: heading }) => `${level} ${heading}`)).toEqual(['2 Install']);
  expect(text).toBe(
    [
      '## Install',
      'A **bold** [link](https://x.dev/)[1]',
      '1. one\n2. two',
      '```\nif (a) {\n  b\n```',
      '| Name |\n| --- |\n| a |',
      '[1] A note.\n',
    ].join('\n\n'),
  );
});

const shape = (type: string, paragraphs: readonly string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph ${type}/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`;
const slide = (shapes: string, attributes = '') =>
  `<p:sld xmlns:p="p" xmlns:a="a" ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

test('[L3] every slide is a section below its title, with its notes; hidden slides are left out', async () => {
  const relationships = (targets: readonly string[]) =>
    `<Relationships>${targets.map((target, index) => `<Relationship Id="r${index}" Target="${target}"/>`).join('')}</Relationships>`;
  const { text, outline } = await read('a.pptx', {
    '[Content_Types].xml': '<Types/>',
    'ppt/presentation.xml':
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="r1"/><p:sldId id="257" r:id="r0"/><p:sldId id="258" r:id="r2"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships(['slides/s2.xml', 'slides/s1.xml', 'slides/s3.xml']),
    'ppt/slides/s1.xml': slide(shape('type="ctrTitle"', ['The talk']) + shape('type="ftr"', ['ACME 2026'])),
    'ppt/slides/s2.xml': slide(shape('type="title"', ['Install']) + shape('idx="1"', ['one', 'two'])),
    'ppt/slides/_rels/s2.xml.rels': relationships(['../notesSlides/n2.xml']),
    'ppt/notesSlides/n2.xml': slide(shape('type="body"', ['Say hello.'])),
    'ppt/slides/s3.xml': slide(shape('type="title"', ['Hidden']), 'show="0"'),
  });
  expect(outline.map(({ level, text: heading }) => `${level} ${heading}`)).toEqual(['1 The talk', '2 Install']);
  expect(text).toBe('# The talk\n\n## Install\n\n- one\n- two\n\n> Say hello.\n');
});

const codeParagraph = (text: string, format = '', space = '') =>
  `<a:p><a:pPr>${space}<a:buNone/></a:pPr><a:r><a:rPr ${format}><a:latin typeface="Courier"/></a:rPr><a:t>${text}</a:t></a:r></a:p>`;

async function readSlide(paragraphs: string): Promise<string> {
  const { text } = await read('a.pptx', {
    '[Content_Types].xml': '<Types/>',
    'ppt/presentation.xml':
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="r0"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': '<Relationships><Relationship Id="r0" Target="slides/s1.xml"/></Relationships>',
    'ppt/slides/s1.xml': slide(`<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`),
  });
  return text;
}

test('[L3] a title in the font of code does not belong to the code above it', async () => {
  const title = codeParagraph('serve', 'b="1"', '<a:spcBef><a:spcPts val="3000"/></a:spcBef>');
  const text = await readSlide(`${codeParagraph('boil()')}${codeParagraph('return', 'b="1"')}${title}`);
  expect(text).toContain('```\nboil()\nreturn\n```\n\n`serve`');
});

test('[L3] an empty paragraph between lines of code is a blank line, and nothing elsewhere', async () => {
  const empty = '<a:p><a:pPr/><a:endParaRPr><a:latin typeface="Calibri"/></a:endParaRPr></a:p>';
  const words = '<a:p><a:r><a:t>Then serve.</a:t></a:r></a:p>';
  const text = await readSlide(
    `${empty}${codeParagraph('boil()')}${empty}${codeParagraph('pour()')}${empty}${words}${empty}`,
  );
  expect(text).toContain('```\nboil()\n\npour()\n```\n\nThen serve.\n');
});

test('[L3] a book is its chapters in reading order, without its contents', async () => {
  const page = (body: string) =>
    `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`;
  const { title, text, language, links } = await read('a.epub', {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<package><metadata xmlns:dc="d"><dc:title>The book</dc:title><dc:language>en</dc:language></metadata>
      <manifest><item id="n" href="nav.xhtml" properties="nav"/><item id="b" href="text/b.xhtml"/><item id="a" href="text/a%20a.xhtml"/></manifest>
      <spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>`,
    'OPS/nav.xhtml': page('<nav><a href="text/b.xhtml">Second</a></nav>'),
    'OPS/text/b.xhtml': page('<h1 id="two">Second</h1><p>Back to <a href="a%20a.xhtml#one">one</a>.</p>'),
    'OPS/text/a a.xhtml': page('<h1 id="one">First</h1><p><a id="x"/>Text with <code>code</code>.</p>'),
  });
  expect({ title, language }).toEqual({ title: 'The book', language: 'en' });
  expect(links.map(({ href }) => href)).toEqual(['file:///a.epub#one']);
  expect(text).toBe('# First\n\nText with `code`.\n\n# Second\n\nBack to [one](file:///a.epub#one).\n');
});

test.each([
  ['a Word document under any name', 'a.bin', docxOf(p('x')), 'application/octet-stream', 'docx'],
  ['a book served as an archive', 'a', { mimetype: 'application/epub+zip' }, 'application/zip', 'epub'],
  ['an OpenDocument text', 'a.odt', ODT_MIME, null, 'odt'],
])('%s is recognized by its content', (...[, name, parts, mediaType, extractor]) => {
  const body = zipSync(
    Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, [strToU8(text), { level: 0 }]])),
  );
  expect(registry.choose({ url: pageUrl(`file:///${name}`), mediaType, body }).name).toBe(extractor);
});

test.each([
  ['an archive of other files', { 'readme.md': '# x' }, 'application/zip'],
  ['a spreadsheet', { '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' }, null],
  ['a Word document declared as a web page', docxOf(p('x')), 'text/html'],
])('%s is unsupported', async (...[, parts, mediaType]) => {
  await expect(read('a', parts, mediaType)).rejects.toThrow(expect.objectContaining({ code: 'extract.unsupported' }));
});
