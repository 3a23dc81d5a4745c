// .pinakes/project.json: the packages of a project with their versions, as they are in the library. It is kept in version control next
// to the lockfile, so it has no dates, no paths of a machine, and a fixed order.

import { z } from 'zod';
import { PACKAGE_READER_VERSION } from '../packages/read-package.ts';
import { siteUrl } from './documentation-site.ts';
import { isPackageSourceName, isPackageVersion } from './locked-package.ts';
import { compareText } from '../text/compare-text.ts';

export const PROJECT_FILE = '.pinakes/project.json';
export const MAX_PROJECT_FILE_BYTES = 8 * 1024 * 1024;

const MAX_PACKAGES = 100_000;

const ProjectPackage = z.object({
  source: z.string().refine(isPackageSourceName),
  version: z.string().refine(isPackageVersion),
  /** The id of its index; null if the package has no documentation. */
  index: z.string().max(100).nullable(),
  /** The documentation site of a package without documentation; sessions search it where it was crawled. */
  site: z
    .string()
    .refine((url) => siteUrl(url) === url)
    .optional(),
  /** The workspaces that depend on it; absent if the project has none. */
  workspaces: z.array(z.string().max(1000)).max(10_000).optional(),
});
export type ProjectPackage = z.output<typeof ProjectPackage>;

const ProjectFile = z.object({ reader: z.int(), packages: z.array(ProjectPackage).max(MAX_PACKAGES) });

/** Null for a file that is missing or malformed, or that readers of another version have written. */
export function parseProjectFile(text: string | null): readonly ProjectPackage[] | null {
  if (text === null) return null;
  try {
    const parsed = ProjectFile.safeParse(JSON.parse(text));
    return parsed.success && parsed.data.reader === PACKAGE_READER_VERSION ? parsed.data.packages : null;
  } catch {
    return null;
  }
}

/** One package a line, so that a change of version is a change of one line. */
export function projectFileText(packages: readonly ProjectPackage[]): string {
  const sorted = packages.toSorted(
    (left, right) => compareText(left.source, right.source) || compareText(left.version, right.version),
  );
  const lines = sorted.map(({ source, version, index, site, workspaces }) =>
    JSON.stringify({
      source,
      version,
      index,
      ...(site !== undefined && { site }),
      ...(workspaces !== undefined && { workspaces }),
    }),
  );
  const list = lines.length === 0 ? '[]' : `[\n    ${lines.join(',\n    ')}\n  ]`;
  return `{\n  "reader": ${PACKAGE_READER_VERSION},\n  "packages": ${list}\n}\n`;
}

/** What a session that is limited to the project may search, as `npm:zod@3.25.1`. */
export interface ScopedPackages {
  /** Packages with documentation. */
  readonly packages: readonly string[];
  /** Packages whose documentation is a site, which the library has if it was crawled. */
  readonly sites: readonly string[];
}

/** In a workspace only the packages that it depends on, in any other folder all. */
export function projectScope(packages: readonly ProjectPackage[], workspace: string): ScopedPackages {
  const isWorkspace = workspace !== '' && packages.some(({ workspaces = [] }) => workspaces.includes(workspace));
  const used = packages.filter(({ workspaces = [] }) => !isWorkspace || workspaces.includes(workspace));
  const named = (some: readonly ProjectPackage[]) => some.map(({ source, version }) => `${source}@${version}`);
  return {
    packages: named(used.filter(({ index }) => index !== null)),
    sites: named(used.filter(({ index, site }) => index === null && site !== undefined)),
  };
}
