// The extractors of what most pages are: HTML, Markdown, data, code and plain text. Conflicting claims fail at startup. A
// further format is a folder of src/formats.

import { json } from './data/json.ts';
import { notebook } from './data/notebook.ts';
import { openapi, openapiYaml } from './data/openapi.ts';
import { yaml } from './data/yaml.ts';
import type { Extractor } from './extractor.ts';
import { html } from './html/extract-html.ts';
import { declarations } from './markdown/declarations.ts';
import { markdown } from './markdown/markdown.ts';
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
  codeFile,
  image,
  plainText,
];
