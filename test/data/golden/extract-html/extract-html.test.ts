// Each page beside this file becomes exactly the Markdown beside it.

import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { extractHtml } from '../../../../src/core/extract/html/extract-html.ts';
import { pageUrl } from '../../../../src/core/model/page-url.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const url = pageUrl('https://docs.example.dev/guide/page.html');

for (const file of readdirSync(folder).filter((name) => name.endsWith('.html'))) {
  test(file.replace('.html', '').replaceAll('-', ' '), async () => {
    const { text } = extractHtml({ url, html: readFileSync(folder + file, 'utf8') });
    await expect(text).toMatchFileSnapshot(folder + file.replace('.html', '.md'));
  });
}
