// OpenAPI and Swagger in JSON: one section per operation and one per schema, written as Markdown. References to schemas
// are shown by name and never followed, so a cycle or a bomb of them costs nothing, and a remote one is never fetched.

import type { Extraction, Extractor, RawPage } from '../extractor.ts';
import { extractJson, parseJson } from './json.ts';
import { fieldOf, isRecord, textOf } from './json-fields.ts';
import { extractMarkdown } from '../markdown/markdown.ts';
import { demotedHeadings, operationSection } from './openapi-markdown.ts';
import { schemaLines } from '../openapi-schema.ts';
import { pageText } from '../page-text.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'] as const;

export const openapi: Extractor = {
  name: 'openapi',
  version: 1,
  mediaTypes: ['application/vnd.oai.openapi+json', 'application/openapi+json'],
  extensions: [],
  narrows: { broader: 'json', recognises: (head) => /^\s*\{[^]*?"(?:openapi|swagger)"\s*:\s*"[\d.]+/.test(head) },

  extract(page) {
    const api = parseJson(pageText(page));
    const isApi = textOf(api, 'openapi') !== '' || textOf(api, 'swagger') !== '';
    return isApi ? extractApi(page, api) : extractJson(page);
  },
};

function extractApi(page: RawPage, api: unknown): Extraction {
  const info = fieldOf(api, 'info');
  const title = [textOf(info, 'title'), textOf(info, 'version')].filter((part) => part !== '').join(' ') || 'API';
  const sections = [
    `# ${title}`,
    demotedHeadings(textOf(info, 'description')),
    serverLines(api).join('\n'),
    ...operations(api),
    ...schemas(api),
  ];
  const text = sections.filter((section) => section !== '').join('\n\n');
  const { document, facts } = extractMarkdown({ url: page.url, text, isMdx: false });
  return {
    document: {
      ...document,
      title,
      description: textOf(info, 'summary') || null,
      outline: document.outline.map((entry) => ({ ...entry, anchor: null })),
    },
    facts,
  };
}

function serverLines(api: unknown): readonly string[] {
  const servers = fieldOf(api, 'servers');
  if (Array.isArray(servers)) {
    const urls = servers.slice(0, 20).map((server: unknown) => textOf(server, 'url'));
    return urls.filter((url) => url !== '').map((url) => `Server: \`${url}\``);
  }
  const host = textOf(api, 'host');
  return host === '' ? [] : [`Server: \`${host}${textOf(api, 'basePath')}\``];
}

function operations(api: unknown): readonly string[] {
  return ['paths', 'webhooks'].flatMap((kind) => {
    const paths = fieldOf(api, kind);
    return isRecord(paths) ? Object.entries(paths).flatMap(([path, item]) => pathSections(api, path, item)) : [];
  });
}

function pathSections(api: unknown, path: string, pathItem: unknown): readonly string[] {
  const elsewhere = textOf(pathItem, '$ref');
  if (elsewhere !== '') return [`## ${path}\n\nDefined elsewhere: \`${elsewhere}\``];
  return METHODS.flatMap((method) => {
    const operation = fieldOf(pathItem, method);
    const heading = `${method.toUpperCase()} ${path}`;
    return isRecord(operation) ? [operationSection({ heading, operation, pathItem, api })] : [];
  });
}

function schemas(api: unknown): readonly string[] {
  const found = fieldOf(fieldOf(api, 'components'), 'schemas') ?? fieldOf(api, 'definitions');
  if (!isRecord(found)) return [];
  return Object.entries(found).map(([name, schema]) => {
    const description = demotedHeadings(textOf(schema, 'description'));
    const lines = schemaLines(schema).join('\n');
    return [`## Schema ${name}`, description, lines].filter((part) => part !== '').join('\n\n');
  });
}
