// A Storybook, built by the real tool from the stories that its React package ships and the guides of this project: some of them are MDX,
// the others are shown by its Markdown block. A page is a query of one document, and its text is in a frame.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCountingServer } from '../../support/counting-server.ts';
import { guideNames, installTools, withoutLinks, type MarkdownSite } from './built-sites.ts';
import { serveFiles } from './spa-sites.ts';

const PACKAGES = [
  'storybook@10.6.7',
  '@storybook/react-vite@10.6.7',
  '@storybook/addon-docs@10.6.7',
  'vite@8.3.8',
  'react@19.3.1',
  'react-dom@19.3.1',
  'prop-types@15.8.1',
];

const CONFIGURATION = `export default {
  framework: '@storybook/react-vite',
  stories: ['../stories/*.mdx', '../stories/*.stories.js'],
  addons: ['@storybook/addon-docs'],
  core: { disableTelemetry: true },
};
`;

export interface Storybook extends MarkdownSite {
  /** The `pages` that are documentation; the others show a component in one state. */
  readonly docs: readonly string[];
}

interface IndexEntry {
  readonly id: string;
  readonly type: 'docs' | 'story';
  readonly name: string;
  readonly importPath: string;
  readonly title: string;
}

export async function storybookSite(folder: string): Promise<Storybook> {
  buildStorybook(folder);
  return serveStorybook(folder);
}

/** Its index.json is the oracle of its pages. */
async function serveStorybook(folder: string): Promise<Storybook> {
  const built = join(folder, 'dist');
  const files = serveFiles({}, built);
  const server = await startCountingServer((request, response) => {
    // As servers of files do: without it, each page loads seven megabytes again.
    response.setHeader('cache-control', 'max-age=600');
    files(request, response);
  });
  const start = `http://127.0.0.1:${server.port}/`;
  const { entries } = JSON.parse(readFileSync(join(built, 'index.json'), 'utf8')) as {
    readonly entries: Readonly<Record<string, IndexEntry>>;
  };
  const all = Object.values(entries);
  const urlOf = ({ type, id }: IndexEntry): string => `${start}?path=/${type}/${id}`;
  const docs = all.filter(({ type }) => type === 'docs');
  const stories = all.filter(({ type }) => type === 'story');
  return {
    server,
    start,
    pages: all.map(urlOf).toSorted(),
    docs: docs.map(urlOf),
    markdown: new Map(docs.map((entry) => [urlOf(entry), textOf(entry, stories, folder)])),
    close: () => server.close(),
  };
}

function buildStorybook(folder: string): void {
  mkdirSync(join(folder, '.storybook'), { recursive: true });
  installTools(folder, PACKAGES);
  const stories = join(folder, 'stories');
  cpSync(join(folder, 'node_modules/@storybook/react/template/cli/js'), stories, { recursive: true });
  // They import styles, which the package does not have.
  for (const name of readdirSync(stories).filter((file) => file.endsWith('.jsx')))
    writeFileSync(join(stories, `${name.slice(0, -4).toLowerCase()}.css`), '');
  for (const name of guideNames) writeGuide(name, stories);
  writeFileSync(join(folder, '.storybook', 'main.js'), CONFIGURATION);
  writeFileSync(join(folder, '.storybook', 'preview.js'), "export default { tags: ['autodocs'] };\n");
  // It keeps settings in the home folder.
  const env = { ...process.env, HOME: folder, STORYBOOK_DISABLE_TELEMETRY: '1' };
  const args = ['build', '--output-dir', 'dist', '--disable-telemetry'];
  execFileSync(join(folder, 'node_modules', '.bin', 'storybook'), args, { cwd: folder, env, stdio: 'ignore' });
}

function writeGuide(name: string, stories: string): void {
  const text = withoutLinks(name);
  const head = `import { Markdown, Meta } from '@storybook/addon-docs/blocks';\n`;
  const meta = `<Meta title="Guides/${name}" />`;
  const prose = text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  // What MDX would take for an element or an expression.
  if (!/[<{]/.test(prose)) return writeFileSync(join(stories, `${name}.mdx`), `${head}\n${meta}\n\n${text}`);
  writeFileSync(join(stories, `${name}.md`), text);
  const page = `${head}import text from './${name}.md?raw';\n\n${meta}\n\n<Markdown>{text}</Markdown>\n`;
  writeFileSync(join(stories, `${name}.mdx`), page);
}

/** The text of a guide; for a component, its doc comment, its properties and the names of its stories. */
function textOf({ title, importPath }: IndexEntry, stories: readonly IndexEntry[], folder: string): string {
  const [group, name = ''] = title.split('/');
  if (group === 'Guides') return withoutLinks(name);
  const source = readFileSync(join(folder, importPath.replace('.stories.js', '.jsx')), 'utf8');
  const comments = [...source.matchAll(/\/\*\*([^*]*)\*\/\s*(?:export const )?(\w+)/g)].map(
    ([, text, of]) => `${of} ${text}`,
  );
  return [...comments, ...stories.filter((story) => story.title === title).map((story) => story.name)].join('\n');
}
