// llms.txt of a project, filled from its index (https://llmstxt.org): one H1, a summary, notes, sections of links, and `Optional` last.
// Titles and descriptions were written by others: one that looks like an instruction or a secret is left out.

import { detectInjection } from '../../classify/prompt-injection.ts';
import { decodePercent } from '../../text/decode-percent.ts';
import { pluralize } from '../../text/plural.ts';
import { oneLine } from '../bundle/labels.ts';
import { scanSecrets } from '../secrets/scan-secrets.ts';
import { link, NOTICE } from './llms-text.ts';

/** The same as docs/templates/llms.template.txt. */
export const LLMS_TEMPLATE = `# {title}

> {summary}

{notes}

{sections}
`;

export interface LlmsProject {
  readonly title: string;
  /** What it is, in a sentence; null if unknown. */
  readonly summary: string | null;
  /** Start URL; null for local files. */
  readonly startUrl: string | null;
}

export interface LlmsPage {
  /** Relative to the folder, or a URL. */
  readonly path: string;
  readonly title: string;
  readonly description: string | null;
  /** What the site calls its section; without one, the first folder below the start URL. */
  readonly section?: string | null;
}

/** Short enough to read before anything else. */
const MAX_LINKS = 150;
const MAX_DESCRIPTION_CHARS = 120;
const SECONDARY =
  /^(?:changelog|changes|news|blog|releases?|release-notes|history|archive|decisions|adr|rfcs?|internals?|contributing|legal|license|licence|code[-_]of[-_]conduct|security|templates)\b/i;

/** Pages in the order of their paths. */
export function projectLlmsTxt(project: LlmsProject, pages: readonly LlmsPage[]): string {
  const safe = pages.filter(({ path }) => isSafe(path));
  const listed = safe.slice(0, MAX_LINKS);
  const from = project.startUrl === null ? '' : ` from ${oneLine(project.startUrl)}`;
  const title = (isSafe(project.title) ? oneLine(project.title) : '') || 'Documentation';
  const fallback = `Documentation of ${title}: ${pluralize(pages.length, 'page')}${from}.`;
  const summary = oneLine(project.summary ?? '', 300);
  const cut = safe.length > listed.length ? `\n- ${safe.length - listed.length} more pages are not listed.` : '';
  const values: Readonly<Record<string, string>> = {
    title,
    summary: summary !== '' && isSafe(summary) ? summary : fallback,
    notes: `- ${NOTICE}${cut}`,
    sections: sectionsOf(listed, project.startUrl).join('\n\n'),
  };
  return LLMS_TEMPLATE.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

function sectionsOf(pages: readonly LlmsPage[], origin: string | null): string[] {
  const sections = Map.groupBy(pages, (page) => sectionOf(page, origin));
  const optional = sections.get(OPTIONAL);
  sections.delete(OPTIONAL);
  const named = [...sections].toSorted(([a], [b]) => Number(a !== ROOT) - Number(b !== ROOT));
  if (optional !== undefined) named.push([OPTIONAL, optional]);
  return named.map(([name, own]) => `## ${name}\n\n${own.map(lineOf).join('\n')}`);
}

const ROOT = 'Docs';
const OPTIONAL = 'Optional';

/** The section of a page: as the site names it, or the first folder below the start URL. */
function sectionOf({ path, section = null }: LlmsPage, origin: string | null): string {
  const base = origin === null ? '' : origin.slice(0, origin.lastIndexOf('/') + 1);
  const local = path.startsWith(base) ? path.slice(base.length) : path.replace(/^https?:\/\//, '');
  const [first = '', ...rest] = local.split('/').map(decodePercent);
  if (SECONDARY.test(first)) return OPTIONAL;
  const label = section === null || !isSafe(section) ? '' : oneLine(section, 60);
  if (label !== '') return label;
  const words = oneLine(first.replaceAll(/[-_]+/g, ' '), 60);
  return rest.length === 0 || words === '' ? ROOT : words.charAt(0).toUpperCase() + words.slice(1);
}

function lineOf({ path, title, description }: LlmsPage): string {
  const name = isSafe(title) && oneLine(title) !== '' ? title : path;
  const about = description !== null && isSafe(description) ? oneLine(description, MAX_DESCRIPTION_CHARS) : '';
  return `- ${link(name, encodeSpaces(path))}${about === '' ? '' : `: ${about}`}`;
}

function encodeSpaces(path: string): string {
  return path.replaceAll(/[\s<>]/g, (char) => encodeURIComponent(char));
}

function isSafe(text: string): boolean {
  return detectInjection(text).length === 0 && scanSecrets(text, '', 1).length === 0;
}
