// OpenAPI in YAML: kept as it was written, and cut by operation and component later. Writing it as Markdown would need
// a YAML parser, and none is small and safe enough to be worth it.

import { cleanLine } from './decode/clean-text.ts';
import { codeFile } from './text/code-file.ts';
import type { Extractor } from './extractor.ts';
import { titleFromUrl } from './decode/media-type.ts';

export const openapiYaml: Extractor = {
  name: 'openapi-yaml',
  version: 1,
  mediaTypes: ['application/vnd.oai.openapi', 'application/openapi+yaml'],
  extensions: [],
  narrows: { broader: 'code-file', recognises: (head) => /^(?:openapi|swagger)\s*:\s*["']?[23]\./m.test(head) },

  extract(page) {
    const { document, facts } = codeFile.extract(page);
    const title = /^info\s*:[^]{0,2000}?^ +title\s*:([^\n]*)/m.exec(document.text.slice(0, 8000))?.[1] ?? '';
    const named = cleanLine(title.replace(/^\s*["']|["']\s*$/g, ''));
    return {
      document: { ...document, format: 'openapi', codeLanguage: null, title: named || titleFromUrl(page.url) },
      facts,
    };
  },
};
