// The version that an HTML page declares for the product it documents: in its metadata, in what its generator writes, or in its
// title. Never the version of the generator itself.

import { parseDeclaredVersion } from '../../../model/declared-version.ts';
import { versionInTitle } from '../../version-in-text.ts';

/** Antora and Spring, DocSearch, Docusaurus (the version of the documentation, not its own), Read the Docs. */
const META_NAMES = ['docsearch:version', 'docusaurus_version', 'readthedocs-version-slug', 'version'] as const;

/** A text near the start of which a generator writes the version. */
interface Marker {
  readonly needle: string;
  readonly pattern: RegExp;
}

/** How far after its needle a version is looked for. */
const MAX_MARKER_CHARS = 400;

const SPHINX: Marker = { needle: 'DOCUMENTATION_OPTIONS', pattern: /\bVERSION:\s*(?:'([^']{1,40})'|"([^"]{1,40})")/ };
const DOXYGEN: Marker = { needle: 'id="projectnumber"', pattern: /^[^>]{0,40}>([^<]{1,40})</ };
const RUSTDOC: Marker = { needle: 'class="version"', pattern: /^[^>]{0,40}>(?:Version )?([^<]{1,40})</ };
/** The link to the start of a DocBook manual has its title. */
const DOCBOOK: Marker = { needle: 'accesskey="h"', pattern: /^[^>]{0,200}\stitle="([^"]{1,200})"/ };

interface StatedByPage {
  readonly html: string;
  /** The content of the meta element with a name; empty if there is none. */
  readonly contentOf: (name: string) => string;
  readonly title: string;
  readonly isRustdoc: boolean;
}

export function declaredVersion({ html, contentOf, title, isRustdoc }: StatedByPage): string | null {
  for (const name of META_NAMES) {
    const version = parseDeclaredVersion(contentOf(name));
    if (version !== null) return version;
  }
  for (const marker of [SPHINX, DOXYGEN, ...(isRustdoc ? [RUSTDOC] : [])]) {
    const version = parseDeclaredVersion(textAt(html, marker));
    if (version !== null) return version;
  }
  return versionInTitle(title) ?? versionInTitle(textAt(html, DOCBOOK));
}

/** Empty if the needle is absent, or something else follows it. */
function textAt(html: string, { needle, pattern }: Marker): string {
  const at = html.indexOf(needle);
  if (at === -1) return '';
  const start = at + needle.length;
  const found = pattern.exec(html.slice(start, start + MAX_MARKER_CHARS));
  return found?.slice(1).find((group) => group !== undefined) ?? '';
}
