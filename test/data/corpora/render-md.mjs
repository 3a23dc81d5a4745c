// Renders the Markdown sites: node render-md.mjs FOLDER_OF_MARKED IN.json OUT.json

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [markedFolder, inFile, outFile] = process.argv.slice(2);
const { marked } = await import(pathToFileURL(path.join(markedFolder, 'package/lib/marked.esm.js')).href);

marked.use({
  gfm: true,
  renderer: {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens);
      return `<h${depth} id="${slug(text)}">${text}</h${depth}>\n`;
    },
  },
});

const items = JSON.parse(fs.readFileSync(inFile, 'utf8'));
fs.writeFileSync(outFile, JSON.stringify(items.map((item) => withCleanLinks(marked.parse(item.md), item.src))));

function slug(text) {
  return text
    .toLowerCase()
    .replace(/<[^>]+>/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
}

/** Links to ./x.md become links to the clean URL that the page is served at. */
function withCleanLinks(html, source) {
  return html.replace(/href="([^"#:]+?)\.mdx?(#[^"]*)?"/g, (_, target, fragment) => {
    const absolute = target.startsWith('/') ? target : path.posix.join('/', path.posix.dirname(`/${source}`), target);
    const parts = absolute.split('/').map((part) => part.replace(/^\d+-/, ''));
    if (/^(index|readme)$/i.test(parts.at(-1)) && parts.length > 2) parts.pop();
    return `href="${parts.join('/')}${fragment ?? ''}"`;
  });
}
