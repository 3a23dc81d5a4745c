// Faults of an OpenAPI 3.1 document that a client generator would notice.

export type Json = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Json;
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Json | null;
  /** Null for a file. */
  readonly answer: Json | null;
  readonly error: Json;
}

const JSON_TYPE = 'application/json';

export function operationsOf(document: Json): readonly Operation[] {
  const { Error: error } = (document['components'] as { schemas: { Error: Json } }).schemas;
  const paths = Object.entries(document['paths'] as Record<string, Record<string, Json>>);
  // No generator makes a call of a stream.
  return paths
    .filter(([path]) => path !== '/events')
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        operationId: String(operation['operationId']),
        method: method.toUpperCase(),
        path,
        parameters: operation['parameters'] as Parameter[],
        body: schemaIn(operation['requestBody']),
        answer: isFile(operation) ? null : (schemaIn(successOf(operation)) ?? {}),
        error,
      })),
    );
}

function isFile(operation: Json): boolean {
  const { content = {} } = successOf(operation);
  return Object.keys(content).some((type) => type !== JSON_TYPE);
}

function successOf(operation: Json): { readonly content?: Json } {
  const responses = operation['responses'] as Record<string, { readonly content?: Json }>;
  return responses['200'] ?? responses['201'] ?? responses['202'] ?? {};
}

function schemaIn(holder: unknown): Json | null {
  const { content } = (holder ?? {}) as { content?: Record<string, { schema: Json }> };
  return content?.[JSON_TYPE]?.schema ?? null;
}

export function openapiFaults(document: Json): string[] {
  const { title, version } = (document['info'] ?? {}) as Record<string, unknown>;
  return [
    ...(document['openapi'] === '3.1.0' ? [] : ['the version of OpenAPI']),
    ...(typeof title === 'string' && typeof version === 'string' ? [] : ['info']),
    ...operationsOf(document).flatMap((operation) => operationFaults(operation)),
    ...referencesIn(document).filter((reference) => !resolves(document, reference)),
  ];
}

function operationFaults({ operationId, method, path, parameters, body, answer }: Operation): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const described = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const names = parameters.map((one) => `${one.in} ${one.name}`);
  const faults = [
    /^[a-z]\w*$/.test(operationId) ? '' : 'its name',
    isSame(inPath, described) ? '' : 'the names in its path',
    parameters.every((one) => one.in !== 'path' || one.required) ? '' : 'a part of the path that is not required',
    new Set(names).size === names.length ? '' : 'a parameter twice',
    method !== 'GET' || body === null ? '' : 'a GET with a body',
    answer === null || answer['type'] === 'object' ? '' : 'its answer',
  ];
  return faults.filter((fault) => fault !== '').map((fault) => `${operationId}: ${fault}`);
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  );
}

function resolves(document: Json, reference: string): boolean {
  const found = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, name) => (node as Json | undefined)?.[name], document);
  return found !== undefined;
}
