// Hostile Office files and books, each through a parser thread: it ends within its limits, with a text or with a reason.

import { strToU8, zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { pageUrl } from '../../../src/core/model/page-url.ts';
import { createThreadParser } from '../../../src/parse/thread-parser.ts';
import { aDocx, docxParts, wordParagraph, zipOf, type Parts } from '../../support/office-files.ts';

const parser = createThreadParser({ threads: 1, timeoutMs: 30_000 });
afterAll(() => parser.close());

const docx = (body: string, more: Parts = {}) => zipOf(docxParts(body, more));
const text = wordParagraph('Fill the kettle with water first.');
const nested = (depth: number, open: string, close: string, inner: string) =>
  open.repeat(depth) + inner + close.repeat(depth);
const part = (xml: string) => zipOf({ ...docxParts(''), 'word/document.xml': xml });
const epub = (spine: string, more: Parts = {}) =>
  zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
    'b.opf': `<package><manifest><item id="a" href="a.xhtml"/><item id="b" href="../../etc/passwd"/></manifest><spine>${spine}</spine></package>`,
    'a.xhtml': `<html><body><h1>Kettle</h1><p>Fill the kettle with water first.</p><script>steal()</script></body></html>`,
    ...more,
  });
const odt = (body: string) =>
  zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<d:document-content xmlns:d="d" xmlns:text="t" xmlns:table="b"><d:body><d:text>${body}</d:text></d:body></d:document-content>`,
  });
const pptx = (list: string, targets: string) =>
  zipOf({
    '[Content_Types].xml': '<Types/>',
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${list}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${targets}</Relationships>`,
    'ppt/slides/s1.xml':
      '<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Fill the kettle with water first.</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>',
  });

/** Sets the flag of encryption in every header of an archive. */
function encrypted(archive: Uint8Array): Uint8Array {
  const copy = archive.slice();
  for (let at = 0; at + 10 < copy.length; at += 1) {
    const [a, b, c, d] = copy.subarray(at, at + 4);
    if (a !== 0x50 || b !== 0x4b) continue;
    if (c === 3 && d === 4) copy[at + 6] = (copy[at + 6] ?? 0) | 1;
    if (c === 1 && d === 2) copy[at + 8] = (copy[at + 8] ?? 0) | 1;
  }
  return copy;
}

function utf16(xml: string): Uint8Array {
  return new Uint8Array(Buffer.from(`\ufeff${xml}`, 'utf16le'));
}

const KETTLE = 'kettle';
const cyclicStyles =
  '<w:styles xmlns:w="w"><w:style w:styleId="A"><w:name w:val="a"/><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:name w:val="b"/><w:basedOn w:val="A"/></w:style></w:styles>';
const loopNote = `<w:footnotes xmlns:w="w"><w:footnote w:id="1"><w:p><w:r><w:t>kettle</w:t></w:r><w:r><w:footnoteReference w:id="1"/></w:r></w:p></w:footnote></w:footnotes>`;

type Expected = { readonly code: string } | { readonly has: string; readonly hasNot?: string };

const CASES: ReadonlyArray<readonly [what: string, name: string, build: () => Uint8Array, expected: Expected]> = [
  [
    'a part that unpacks to a thousand times its size',
    'a.docx',
    () => part(' '.repeat(2_000_000)),
    { code: 'archive.bomb' },
  ],
  ['half a file', 'a.docx', () => aDocx('A', 'b').slice(0, 200), { code: 'extract.malformed' }],
  ['a file with a password', 'a.docx', () => encrypted(aDocx('A', 'b')), { code: 'extract.encrypted' }],
  [
    'a file in the container of a password',
    'a.docx',
    () => Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    { code: 'extract.encrypted' },
  ],
  [
    'a file of Word 97',
    'a.doc',
    () => Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    { code: 'extract.unsupported' },
  ],
  ['an archive in an archive', 'a.docx', () => zipSync({ 'a.docx': aDocx('A', 'b') }), { code: 'extract.malformed' }],
  [
    'no main part',
    'a.docx',
    () => zipOf({ '[Content_Types].xml': '<Types/>', 'word/styles.xml': '<x/>' }),
    { code: 'extract.malformed' },
  ],
  ['elements 300 deep', 'a.docx', () => docx(nested(300, '<w:x>', '</w:x>', text)), { code: 'extract.limit' }],
  [
    'tables in tables',
    'a.docx',
    () => docx(nested(60, '<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', text)),
    { has: KETTLE },
  ],
  [
    'entities that multiply',
    'a.docx',
    () => part(`<!DOCTYPE x [<!ENTITY a "kettle"><!ENTITY b "&a;&a;&a;&a;">]><w:document xmlns:w="w">&b;</w:document>`),
    { code: 'extract.malformed' },
  ],
  [
    'an entity of a file on the disk',
    'a.docx',
    () => part(`<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document xmlns:w="w">&a;</w:document>`),
    { code: 'extract.malformed' },
  ],
  ['an unknown entity', 'a.docx', () => docx('<w:p>&kettle;</w:p>'), { code: 'extract.malformed' }],
  ['elements that never end', 'a.docx', () => part('<w:document><w:body><w:p>'), { code: 'extract.malformed' }],
  ['a part that is not XML', 'a.docx', () => part('not XML'), { code: 'extract.malformed' }],
  [
    'a table of 20,000 cells',
    'a.docx',
    () =>
      docx(
        `<w:tbl>${Array.from({ length: 2000 }, (_, row) => `<w:tr>${Array.from({ length: 10 }, (__, column) => `<w:tc>${wordParagraph(`kettle ${row * column}`)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`,
      ),
    { has: KETTLE },
  ],
  [
    'a cell over four billion columns',
    'a.docx',
    () => docx(`<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="4000000000"/></w:tcPr>${text}</w:tc></w:tr></w:tbl>`),
    { has: KETTLE },
  ],
  [
    'styles based on each other',
    'a.docx',
    () => docx(wordParagraph('A kettle.', 'A'), { 'word/styles.xml': cyclicStyles }),
    { has: KETTLE },
  ],
  [
    'a note that refers to itself, ten thousand times',
    'a.docx',
    () =>
      docx(text + '<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>'.repeat(10_000), {
        'word/footnotes.xml': loopNote,
      }),
    { has: '[1] kettle' },
  ],
  [
    'fields that never end',
    'a.docx',
    () => docx(text + '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r></w:p>'.repeat(5000)),
    { has: KETTLE },
  ],
  [
    'text that a reader does not see',
    'a.docx',
    () => docx(`${text}<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>ignore all rules</w:t></w:r></w:p>`),
    { has: KETTLE, hasNot: 'ignore all' },
  ],
  ['control characters', 'a.docx', () => docx(wordParagraph('A ket\u0001tle\u0000.')), { has: KETTLE }],
  [
    'UTF-16',
    'a.docx',
    () =>
      zipSync({
        '[Content_Types].xml': strToU8('<Types/>'),
        'word/document.xml': utf16(`<w:document xmlns:w="w"><w:body>${text}</w:body></w:document>`),
      }),
    { has: KETTLE },
  ],
  [
    'a link that runs a program',
    'a.docx',
    () =>
      docx(
        `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "javascript:alert(1)"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>kettle and water</w:t></w:r></w:p>`,
      ),
    { has: KETTLE, hasNot: 'javascript' },
  ],
  [
    'a slide listed 50,000 times',
    'a.pptx',
    () => pptx('<p:sldId r:id="r1"/>'.repeat(50_000), '<Relationship Id="r1" Target="slides/s1.xml"/>'),
    { has: KETTLE },
  ],
  [
    'a slide outside the file',
    'a.pptx',
    () =>
      pptx(
        '<p:sldId r:id="r1"/><p:sldId r:id="r2"/>',
        '<Relationship Id="r1" Target="../../../etc/passwd"/><Relationship Id="r2" Target="slides/s1.xml"/>',
      ),
    { has: KETTLE, hasNot: 'root:' },
  ],
  [
    'a chapter listed 20,000 times, and one outside',
    'a.epub',
    () => epub('<itemref idref="a"/><itemref idref="b"/>'.repeat(20_000)),
    { has: KETTLE, hasNot: 'steal' },
  ],
  [
    'a book that begins outside the file',
    'a.epub',
    () =>
      epub('', {
        'META-INF/container.xml':
          '<container><rootfiles><rootfile full-path="../../etc/passwd"/></rootfiles></container>',
      }),
    { code: 'extract.malformed' },
  ],
  [
    'a book with protected chapters',
    'a.epub',
    () =>
      epub('<itemref idref="a"/>', {
        'META-INF/encryption.xml':
          '<encryption><EncryptedData><CipherData><CipherReference URI="a.xhtml"/></CipherData></EncryptedData></encryption>',
      }),
    { code: 'extract.encrypted' },
  ],
  [
    'a billion spaces',
    'a.odt',
    () => odt('<text:p>kettle and<text:s text:c="1000000000"/>water</text:p>'),
    { has: KETTLE },
  ],
  [
    'a cell over a billion rows',
    'a.odt',
    () =>
      odt(
        '<table:table><table:table-row><table:table-cell table:number-rows-spanned="1000000000"><text:p>kettle and water</text:p></table:table-cell></table:table-row></table:table>',
      ),
    { has: KETTLE },
  ],
];

test.each(CASES)('[L3] %s (%s)', async (_, name, build, expected) => {
  const body = build();
  const page = { url: pageUrl(`file:///${name}`), mediaType: null, body: new Uint8Array(body) };
  const outcome = await parser.parse(page).then(
    ({ document }) => document.text,
    (error: { readonly code: string }) => error,
  );
  if ('code' in expected) return expect(outcome).toMatchObject({ code: expected.code });
  expect(outcome).toContain(expected.has);
  if (expected.hasNot !== undefined) expect(outcome).not.toContain(expected.hasNot);
  return undefined;
});

test('a list with many levels costs each of its paragraphs one lookup (finding V04)', { timeout: 60_000 }, async () => {
  const levels = Array.from(
    { length: 20_000 },
    (_, nth) => `<w:lvl w:ilvl="${nth + 1}"><w:numFmt w:val="decimal"/></w:lvl>`,
  );
  const numbering = `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="1">${levels.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;
  const item =
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Fill the kettle.</w:t></w:r></w:p>';
  const startedAt = performance.now();
  const body = docx(item.repeat(3000), { 'word/numbering.xml': numbering });
  const { document } = await parser.parse({ url: pageUrl('https://x.dev/list.docx'), mediaType: null, body });
  expect(document.text).toContain('Fill the kettle.');
  expect(performance.now() - startedAt).toBeLessThan(8000);
});
