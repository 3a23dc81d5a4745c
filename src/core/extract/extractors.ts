// Every reader, in one list. Adding a format is one file and one line here; colliding claims fail at start.

import { codeFile } from './text/code-file.ts';
import type { Extractor } from './extractor.ts';
import { html } from './html.ts';
import { image } from './text/image.ts';
import { json } from './data/json.ts';
import { markdown } from './markdown/markdown.ts';
import { notebook } from './data/notebook.ts';
import { openapi } from './data/openapi.ts';
import { openapiYaml } from './openapi-yaml.ts';
import { plainText } from './text/plain-text.ts';

export const extractors: readonly Extractor[] = [
  html,
  markdown,
  notebook,
  openapi,
  openapiYaml,
  json,
  codeFile,
  image,
  plainText,
];
