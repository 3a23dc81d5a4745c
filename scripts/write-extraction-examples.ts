// npm run docs: writes docs/extraction/*.md, one page with before and after for each small HTML page there.
// With --check it only tells.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractors } from '../src/core/extract/extractors.ts';
import { createExtractorRegistry } from '../src/core/extract/extractor-registry.ts';
import type { OutlineEntry } from '../src/core/model/document.ts';
import { pageUrl } from '../src/core/model/page-url.ts';

const folder = join(import.meta.dirname, '../docs/extraction');
const registry = createExtractorRegistry(extractors);

/** The pages are beside the texts that they become: sphinx.html, sphinx.md. */
const NAMES: Readonly<Record<string, string>> = {
  asciidoc: 'AsciiDoc',
  docusaurus: 'Docusaurus',
  mediawiki: 'MediaWiki',
  rustdoc: 'rustdoc',
  sphinx: 'Sphinx',
  vitepress: 'VitePress',
};

for (const [name, generator] of Object.entries(NAMES)) {
  const file = join(folder, `${name}.md`);
  const text = examplePage(generator, `${name}.html`);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`docs/extraction/${name}.md is stale: run npm run docs`);
    process.exitCode = 1;
  }
}

function examplePage(generator: string, input: string): string {
  const body = readFileSync(join(folder, input));
  const url = pageUrl(`https://docs.example.dev/guide/${input}`);
  const { document } = registry.extract({ url, mediaType: 'text/html; charset=utf-8', body });
  const inContent = document.links.filter((link) => link.inContent).length;
  return `# ${generator}: before and after

<!-- Written by \`npm run docs\` from ${input}. Do not edit. -->

## After

~~~~markdown
${document.text.trimEnd()}
~~~~

| what | value |
| --- | --- |
| title | ${document.title} |
| description | ${document.description ?? 'none'} |
| language | ${document.language ?? 'none'} |
| canonical | ${document.canonical ?? 'none'} |
| outline | ${document.outline.map(outlineText).join('<br>')} |
| links | ${inContent} in the text, ${document.links.length - inContent} around it |

## Before

~~~~html
${body.toString('utf8').trimEnd()}
~~~~
`;
}

function outlineText({ level, text, anchor }: OutlineEntry): string {
  const heading = `${'#'.repeat(level)} ${text}`.replaceAll('|', '\\|');
  return `\`${heading}\` ${anchor === null ? 'without anchor' : `at \`#${anchor}\``}`;
}
