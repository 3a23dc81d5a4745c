// Configuration of sources that are fetched as archives: the size limit, and the registry of each kind of package.

import type { ArchiveAccess } from '../crawl/context/ports.ts';
import type { Config } from '../platform/config/schema.ts';
import { readNpmConfig, type NpmConfig } from '../platform/npm-config.ts';

/** npm's own configuration is read when the first package is fetched. */
export function createArchiveAccess(
  { registry, fetch }: Pick<Config, 'registry' | 'fetch'>,
  env: Readonly<Record<string, string | undefined>>,
): ArchiveAccess {
  let npm: NpmConfig | null = null;
  return {
    maxBytes: fetch.maxArchiveBytes,
    registryFor({ registry: kind, name }) {
      if (kind !== 'npm') {
        const url = registry[kind];
        return url === undefined ? null : { url, headersFor: () => ({}) };
      }
      const config = (npm ??= readNpmConfig(env));
      return {
        url: registry.npm ?? config.registryOf(name),
        headersFor(target) {
          const authorization = config.authorizationFor(target);
          return authorization === null ? {} : { authorization };
        },
      };
    },
  };
}
