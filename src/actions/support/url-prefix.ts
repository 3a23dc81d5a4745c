// Which URLs a path stands for, as a prefix of them.

import type { Source } from '../../store/port.ts';

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/;

/** Files have the URL `file:///` plus their path inside the folder, encoded. */
export function urlPrefixOf({ kind }: Pick<Source, 'kind'>, path = ''): string {
  if (kind !== 'folder' || path === '' || HAS_SCHEME.test(path)) return path;
  return `file:///${path.split('/').map(encodeURIComponent).join('/')}`;
}
