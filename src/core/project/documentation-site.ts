// The documentation site that a package names in its manifest. Manifests are hostile input: the site is only shown, and crawled on request,
// as any other site that the user adds.

import { repositoryUrl } from '../discover/repository-url.ts';
import { fieldOf } from '../extract/data/json-fields.ts';
import { parsePageUrl, type PageUrl } from '../model/page-url.ts';
import type { ReaderEcosystem } from '../packages/package-folder.ts';
import { parseJson } from '../text/parse-json.ts';
import { stringOf } from './locked-package.ts';
import { parseToml } from './parse-toml.ts';

const MAX_URL_CHARS = 500;

/** Hosts of code and of packages, whose pages describe a package but do not document it. */
const NOT_SITES: ReadonlySet<string> = new Set([
  'github.com',
  'gist.github.com',
  'gitlab.com',
  'bitbucket.org',
  'codeberg.org',
  'git.sr.ht',
  'npmjs.com',
  'npmjs.org',
  'pypi.org',
  'pypi.python.org',
  'crates.io',
  'lib.rs',
]);

/** A URL that can be crawled; null for an address of anything but a site. */
export function siteUrl(text: string): PageUrl | null {
  const url = text.length > MAX_URL_CHARS ? null : parsePageUrl(text.trim());
  if (url === null || !/^https?:/.test(url) || repositoryUrl(url) !== null) return null;
  return NOT_SITES.has(new URL(url).hostname.replace(/^www\./, '')) ? null : url;
}

/** The file that names the site, relative to the folder of the package; null for Go, whose modules name none. */
export function siteManifest(ecosystem: ReaderEcosystem, record: string | null): string | null {
  switch (ecosystem) {
    case 'npm':
      return 'package.json';
    case 'rust':
      return 'Cargo.toml';
    case 'python':
      return record === null ? null : record.replace(/RECORD$/, 'METADATA');
    case 'go':
      return null;
  }
}

/** The first address in its manifest that is one of a site. */
export function documentationSite(ecosystem: ReaderEcosystem, manifest: string): PageUrl | null {
  for (const named of namedSites(ecosystem, manifest)) {
    const url = siteUrl(named);
    if (url !== null) return url;
  }
  return null;
}

/** The named sites, documentation before home pages. */
function namedSites(ecosystem: ReaderEcosystem, manifest: string): readonly string[] {
  switch (ecosystem) {
    case 'npm':
      return [stringOf(parseJson(manifest), 'homepage')];
    case 'rust': {
      const about = fieldOf(parseToml(manifest), 'package');
      return [stringOf(about, 'documentation'), stringOf(about, 'homepage')];
    }
    case 'python':
      return pythonSites(manifest);
    case 'go':
      return [];
  }
}

const PYTHON_URL = /^(?:Project-URL: *([^,\n]{1,60}),|(Home-page):) *(\S+) *$/i;

function pythonSites(metadata: string): readonly string[] {
  const [head = ''] = metadata.replaceAll('\r', '').split('\n\n', 1);
  const named = head.split('\n').flatMap((line) => {
    const [, label, home, url] = PYTHON_URL.exec(line) ?? [];
    return url === undefined ? [] : [{ label: (label ?? home ?? '').toLowerCase(), url }];
  });
  const labelled = (pattern: RegExp) => named.filter(({ label }) => pattern.test(label)).map(({ url }) => url);
  return [...labelled(/^(?:documentation|docs)\b/), ...labelled(/^home-?page$/)];
}
