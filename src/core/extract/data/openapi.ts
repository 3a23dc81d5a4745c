// OpenAPI and Swagger, in JSON or YAML, become Markdown with one section per operation and per schema. References to
// schemas are shown by name and never followed, so cycles and reference bombs cost nothing and remote ones are never fetched.

import { decodePage } from '../decode/charset.ts';
import { cleanLine, cleanText } from '../decode/clean-text.ts';
import type { Extraction, Extractor, RawPage } from '../extractor.ts';
import { extractMarkdown } from '../markdown/markdown.ts';
import { fieldOf, isRecord, textOf } from './json-fields.ts';
import { parseJson } from '../../text/parse-json.ts';
import { extractJson } from './json.ts';
import { demoteHeadings, operationSection, schemaLines } from './openapi-markdown.ts';
import { parseYaml } from './parse-yaml.ts';
import { extractYaml } from './yaml.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'] as const;

export const openapi: Extractor = {
  name: 'openapi',
  version: 2,
  mediaTypes: ['application/vnd.oai.openapi+json', 'application/openapi+json'],
  extensions: [],
  narrows: { broader: 'json', recognizes: (head) => /^\s*\{[^]*?"(?:openapi|swagger)"\s*:\s*"[\d.]+/.test(head) },

  extract(page) {
    const api = parseJson(decodePage(page));
    return isApi(api) ? extractApi(page, api) : extractJson(page);
  },
};

export const openapiYaml: Extractor = {
  name: 'openapi-yaml',
  version: 2,
  mediaTypes: ['application/vnd.oai.openapi', 'application/openapi+yaml'],
  extensions: [],
  narrows: { broader: 'yaml', recognizes: (head) => /^(?:openapi|swagger)\s*:\s*["']?[23]\./m.test(head) },

  extract(page) {
    const api = parseYaml(cleanText(decodePage(page)), 'typed');
    return isApi(api) ? extractApi(page, api) : extractYaml(page);
  },
};

function isApi(value: unknown): boolean {
  return textOf(value, 'openapi') !== '' || textOf(value, 'swagger') !== '';
}

function extractApi(page: RawPage, api: unknown): Extraction {
  const info = fieldOf(api, 'info');
  const title = cleanLine(`${textOf(info, 'title')} ${textOf(info, 'version')}`) || 'API';
  const sections = [
    `# ${title}`,
    demoteHeadings(textOf(info, 'description')),
    serverLines(api).join('\n'),
    ...operations(api),
    ...schemas(api),
  ];
  const text = sections.filter((section) => section !== '').join('\n\n');
  const { document, metadata } = extractMarkdown({ url: page.url, text, isMdx: false });
  return {
    document: {
      ...document,
      title,
      description: textOf(info, 'summary') || null,
      outline: document.outline.map((entry) => ({ ...entry, anchor: null })),
    },
    metadata,
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
  const reference = textOf(pathItem, '$ref');
  if (reference !== '') return [`## ${path}\n\nDefined elsewhere: \`${reference}\``];
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
    const description = demoteHeadings(textOf(schema, 'description'));
    const lines = schemaLines(schema).join('\n');
    return [`## Schema ${name}`, description, lines].filter((part) => part !== '').join('\n\n');
  });
}
