// All extractors. Adding a format takes one file and one line here; conflicting claims fail at startup.

import { json } from './data/json.ts';
import { notebook } from './data/notebook.ts';
import { openapi, openapiYaml } from './data/openapi.ts';
import { yaml } from './data/yaml.ts';
import type { Extractor } from './extractor.ts';
import { html } from './html/extract-html.ts';
import { declarations } from './markdown/declarations.ts';
import { markdown } from './markdown/markdown.ts';
import { asciidoc } from './markup/asciidoc/asciidoc.ts';
import { man } from './markup/man/man.ts';
import { rst } from './markup/rst/rst.ts';
import { zipDocuments } from './office/zip-documents.ts';
import { codeFile } from './text/code-file.ts';
import { image } from './text/image.ts';
import { plainText } from './text/plain-text.ts';

export const extractors: readonly Extractor[] = [
  html,
  markdown,
  declarations,
  notebook,
  openapi,
  openapiYaml,
  json,
  yaml,
  rst,
  asciidoc,
  man,
  ...zipDocuments,
  codeFile,
  image,
  plainText,
];
