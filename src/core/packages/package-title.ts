// The title of a page of a package: what tells it from the other pages. Many packages head each page with their own name, or with
// "Overview", and the heading below it or the folder says what the page is about.

import type { RawPage } from '../extract/extractor.ts';
import { pathOfFileUrl } from '../files/file-url.ts';
import type { Document } from '../model/document.ts';
import { DOCUMENTATION_FOLDERS } from './package-files.table.ts';
import { DECLARATIONS_MEDIA_TYPE } from './symbol-page.ts';

/** Titles that say nothing without the subject of their page. */
const GENERAL_TITLES: ReadonlySet<string> = new Set([
  'api',
  'examples',
  'features',
  'getting started',
  'guide',
  'index',
  'installation',
  'introduction',
  'overview',
  'quick start',
  'readme',
  'reference',
  'table of contents',
  'usage',
]);

/** Headings in which a better title is looked for. */
const LEADING_HEADINGS = 3;

/** Badges behind the name of the package. */
const IMAGE = /\s*!\[[^\][]{0,200}\]\([^()]{0,500}\)/g;

/** Pages that were made from declarations are titled by the module. */
export function withPackageTitle(
  { mediaType, packageName }: Pick<RawPage, 'mediaType' | 'packageName'>,
  document: Document,
): Document {
  if (packageName === undefined || mediaType === DECLARATIONS_MEDIA_TYPE) return document;
  return { ...document, title: packageTitle(document, packageName) };
}

/** `name` is that of the package: `@mui/material`. */
export function packageTitle(document: Pick<Document, 'url' | 'title' | 'outline'>, name: string): string {
  const path = pathOfFileUrl(document.url);
  const title = document.title.replaceAll(IMAGE, '').trim() || document.title;
  return path === null ? title : tellingTitle(path, title, document.outline, name);
}

function tellingTitle(path: string, title: string, outline: Document['outline'], name: string): string {
  const folders = path.split('/');
  const file = (folders.pop() ?? '').replace(/\.[^.]*$/, '');
  const stem = wordsOf(file);
  const own = wordsOf(title);
  const isReadme = folders.length === 0 && stem === 'readme';
  if (GENERAL_TITLES.has(own)) return isReadme ? name : generalTitle(title, folders, name);
  const isNameOfPackage = own === wordsOf(name) || own === lastWordsOf(name);
  if (!isNameOfPackage || isReadme || stem === own || stem === 'index') return title;
  const [telling] = outline
    .slice(0, LEADING_HEADINGS)
    .map(({ text }) => text)
    .filter((text) => sharesWord(wordsOf(text), stem) && wordsOf(text) !== own);
  return telling ?? file.replaceAll(/[-_]+/g, ' ');
}

function generalTitle(title: string, folders: readonly string[], name: string): string {
  const folder = folders.at(-1);
  const subject = folder === undefined || DOCUMENTATION_FOLDERS.has(folder.toLowerCase()) ? name : wordsOf(folder);
  return `${subject}: ${title}`;
}

function lastWordsOf(name: string): string {
  return wordsOf(name.slice(name.lastIndexOf('/') + 1));
}

/** In lower case, without the numbers that sort the files of a folder: `03-ai-sdk-core` has the words of `AI SDK Core`. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/^\d{1,4}(?=[-_. ])/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');
}

function sharesWord(text: string, other: string): boolean {
  const words = new Set(other.split(' '));
  return text.split(' ').some((word) => words.has(word));
}
