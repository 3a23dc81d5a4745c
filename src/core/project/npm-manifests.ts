// The dependencies and workspaces that the package.json files of a project declare.

import { fieldOf } from '../extract/data/json-fields.ts';
import { parseJson } from '../text/parse-json.ts';
import { entriesOf, insideFolder, type Manifests } from './locked-package.ts';
import { NPM_DEPENDENCY_FIELDS } from './npm-lock.ts';

export interface DeclaredDependencies {
  readonly workspace: string;
  /** Names with their ranges. */
  readonly dependencies: ReadonlyArray<readonly [string, string]>;
}

const MANIFEST = 'package.json';

export function declaredDependencies(manifests: Manifests): readonly DeclaredDependencies[] {
  return Array.from(manifests, ([path, text]) => ({ path, root: parseJson(text) })).flatMap(({ path, root }) => {
    if (path !== MANIFEST && !path.endsWith(`/${MANIFEST}`)) return [];
    const dependencies = NPM_DEPENDENCY_FIELDS.flatMap((field) =>
      entriesOf(fieldOf(root, field)).flatMap(([name, range]) =>
        typeof range === 'string' ? [[name, range] as const] : [],
      ),
    );
    return [{ workspace: path.slice(0, -MANIFEST.length).replace(/\/$/, ''), dependencies }];
  });
}

const MAX_PATTERNS = 200;

/** The globs of `workspaces` in a package.json, of those that stay inside the project. */
export function workspacePatterns(packageJson: string): readonly string[] {
  const workspaces = fieldOf(parseJson(packageJson), 'workspaces');
  const listed = Array.isArray(workspaces) ? workspaces : fieldOf(workspaces, 'packages');
  if (!Array.isArray(listed)) return [];
  return listed.slice(0, MAX_PATTERNS).flatMap((pattern) => {
    const inside = typeof pattern === 'string' ? insideFolder(pattern.replace(/\/+$/, '')) : null;
    return inside === null || inside === '' ? [] : [inside];
  });
}
