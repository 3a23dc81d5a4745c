// The pages of an npm package that consists of these files, as a library compares them.

import type { ComparedPage } from '../../src/core/diff/documented-api.ts';
import { declarations } from '../../src/core/extract/markdown/declarations.ts';
import { pageUrl } from '../../src/core/model/page-url.ts';
import { declarationPages } from '../../src/core/packages/declarations/declaration-pages.ts';

interface TestPackage {
  readonly name: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
  /** Further fields of its manifest. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export function packagePages({
  name,
  version,
  files,
  fields = { types: './index.d.ts' },
}: TestPackage): ComparedPage[] {
  const listed = Object.entries(files).map(([path, text]) => ({ path, size: text.length }));
  const manifest = { ecosystem: 'npm', name, version, fields: { name, version, ...fields } } as const;
  return declarationPages({ manifest, files: listed, read: (path) => files[path] }).pages.map(
    ({ path, text, mediaType }) => {
      const body = new TextEncoder().encode(text);
      const { document } = declarations.extract({ url: pageUrl(`file:///${path}`), mediaType, body });
      return { path, title: document.title, text: document.text, outline: document.outline };
    },
  );
}
