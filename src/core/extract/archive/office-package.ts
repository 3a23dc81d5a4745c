// The zip archive of an Office file or a book: its parts that are text, unpacked within limits.

import { pinakesError } from '../../model/errors.ts';
import { readZip, type ArchiveLimits } from './read-zip.ts';
import { MAX_PACKAGE_ENTRIES } from './zip-document-type.ts';
import { sniffBinaryType } from '../decode/media-type.ts';
import type { RawPage } from '../extractor.ts';
import { attribute, elementsOf, parseXml, textOf, type XmlElement } from '../markup/xml-tree.ts';

export interface OfficePackage {
  readonly paths: readonly string[];
  readonly bytes: (path: string) => Uint8Array | null;
  /** Null if there is no such part. */
  readonly xml: (path: string) => XmlElement | null;
  /** The part that the file cannot do without: `extract.malformed` if it is missing. */
  readonly required: (path: string) => XmlElement;
}

/** Text compresses well: the cells of a large table to a hundredth. The total is what bounds memory. */
const LIMITS: ArchiveLimits = {
  maxRatio: 250,
  maxFileBytes: 32 * 1024 * 1024,
  maxTotalBytes: 64 * 1024 * 1024,
  maxEntries: MAX_PACKAGE_ENTRIES,
};
const TEXT_PART = /\.(?:xml|rels|xhtml|html?|opf)$/i;
/** Parts that only describe how a file looks. */
const LAYOUT_PART =
  /(?:^|\/)(?:theme|slideLayouts|slideMasters|charts|embeddings|media|fonts|Configurations2|Thumbnails)\//;

export function openPackage(page: RawPage, as: string): OfficePackage {
  // Office wraps a file with a password into the container of its older formats.
  if (sniffBinaryType(page.body) === 'application/x-cfb') throw pinakesError('extract.encrypted', { url: page.url });
  const parts = new Map<string, Uint8Array>();
  for (const item of readZip(page.body, page.url, LIMITS, (path) => TEXT_PART.test(path) && !LAYOUT_PART.test(path))) {
    if (item.kind === 'file') {
      if (!parts.has(item.path)) parts.set(item.path, item.body);
    } else if (item.reason === 'encrypted') throw pinakesError('extract.encrypted', { url: page.url });
    else if (item.reason === 'too-large')
      throw pinakesError('extract.limit', {
        url: page.url,
        reason: `a part has more than ${LIMITS.maxFileBytes} bytes`,
      });
  }
  const bytes = (path: string): Uint8Array | null => parts.get(path) ?? null;
  const xml = (path: string): XmlElement | null => {
    const body = bytes(path);
    return body === null ? null : parseXml(body, page.url, path);
  };
  return {
    paths: [...parts.keys()],
    bytes,
    xml,
    required(path) {
      const tree = xml(path);
      if (tree === null) throw pinakesError('extract.malformed', { url: page.url, as: `${as} without ${path}` });
      return tree;
    },
  };
}

/** The targets of a part's relationships by id. Internal ones are paths in the package. */
export function relationshipsOf(files: OfficePackage, part: string): ReadonlyMap<string, string> {
  const folder = part.split('/').slice(0, -1).join('/');
  const name = part.slice(folder.length).replace(/^\//, '');
  const tree = files.xml(`${folder === '' ? '' : `${folder}/`}_rels/${name}.rels`);
  const targets = new Map<string, string>();
  for (const relationship of elementsOf(elementsOf(tree)[0] ?? null)) {
    const target = attribute(relationship, 'Target') ?? '';
    const isExternal = attribute(relationship, 'TargetMode') === 'External';
    targets.set(attribute(relationship, 'Id') ?? '', isExternal ? target : pathInPackage(target, folder));
  }
  return targets;
}

/** A relative path, resolved; one that would leave the package stays inside it. */
export function pathInPackage(target: string, folder: string): string {
  const segments = target.startsWith('/') ? [] : folder.split('/').filter((segment) => segment !== '');
  for (const segment of target.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

export interface PackageMetadata {
  readonly title: string | null;
  readonly description: string | null;
  readonly language: string | null;
}

/** Dublin Core, which all of these formats use; `description` is often an essay, and a page has one line. */
export function dublinCore(metadata: XmlElement | null): PackageMetadata {
  const value = (name: string): string | null => {
    const text = textOf(elementsOf(metadata, name)[0] ?? null)
      .replace(/\s+/g, ' ')
      .trim();
    return text === '' || text.length > MAX_METADATA_CHARS ? null : text;
  };
  return { title: value('title'), description: value('description'), language: value('language') };
}

const MAX_METADATA_CHARS = 300;
