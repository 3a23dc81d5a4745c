// Every reader, in one list. Adding a format is one file and one line here; colliding claims fail at start.

import { codeFile } from './code-file.ts';
import type { Extractor } from './extractor.ts';
import { html } from './html.ts';
import { image } from './image.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import { notebook } from './notebook.ts';
import { openapi } from './openapi.ts';
import { openapiYaml } from './openapi-yaml.ts';
import { plainText } from './plain-text.ts';

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
