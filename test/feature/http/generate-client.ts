// Generates a typed client from an OpenAPI document alone, like a generator that knows nothing about the program.

import { operationsOf, type Json, type Operation, type Parameter } from './openapi-faults.ts';

export function generateClient(document: Json): string {
  const operations = operationsOf(document);
  return [
    `export interface Client {\n${operations.map((one) => `  ${signatureOf(one)};`).join('\n')}\n}`,
    RUNTIME,
    `const operations: Readonly<Record<string, Operation>> = ${JSON.stringify(Object.fromEntries(operations.map(routeEntry)), null, 2)};`,
    '',
  ].join('\n\n');
}

function signatureOf({ operationId, parameters, body, answer }: Operation): string {
  const named = parameters.map(propertyOf);
  const input = [`{ ${named.join('; ')} }`, ...(body === null ? [] : [typeOf(body)])].join(' & ');
  const isOptional = body === null && parameters.every(({ required }) => !required);
  return `${operationId}(input${isOptional ? '?' : ''}: ${input}): Promise<${answer === null ? 'ArrayBuffer' : typeOf(answer)}>`;
}

function propertyOf({ name, required, schema }: Parameter): string {
  return `${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`;
}

function routeEntry({ operationId, method, path, parameters, answer }: Operation): [string, object] {
  const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  return [operationId, { method, path, query, isFile: answer === null }];
}

function typeOf(schema: Json): string {
  const {
    const: only,
    enum: some,
    anyOf,
    type,
  } = schema as {
    const?: unknown;
    enum?: readonly unknown[];
    anyOf?: readonly Json[];
    type?: string | readonly string[];
  };
  if (only !== undefined) return JSON.stringify(only);
  if (some !== undefined) return some.map((one) => JSON.stringify(one)).join(' | ');
  if (anyOf !== undefined) return anyOf.map((one) => `(${typeOf(one)})`).join(' | ');
  if (type === undefined) return 'unknown';
  return [type]
    .flat()
    .map((one) => typeNamed(one, schema))
    .join(' | ');
}

function typeNamed(type: string, schema: Json): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `ReadonlyArray<${typeOf((schema['items'] ?? {}) as Json)}>`;
    case 'object':
      return objectType(schema);
    default:
      throw new Error(`no generator would know the type ${type}`);
  }
}

function objectType(schema: Json): string {
  const {
    properties,
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Readonly<Record<string, Json>>;
    required?: readonly string[];
    additionalProperties?: Json | boolean;
  };
  if (properties === undefined)
    return `Readonly<Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>>`;
  const parts = Object.entries(properties).map(
    ([name, inner]) => `readonly ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(inner)}`,
  );
  return `{ ${parts.join('; ')} }`;
}

const RUNTIME = `interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly isFile: boolean;
}

export function createClient(base: string, token?: string): Client {
  const call = async ({ method, path, query, isFile }: Operation, input: Readonly<Record<string, unknown>> = {}) => {
    const rest = new Map(Object.entries(input));
    const take = (name: string): unknown => {
      const value = rest.get(name);
      rest.delete(name);
      return value;
    };
    const target = new URL(base + path.replaceAll(/\\{(\\w+)\\}/g, (_, name: string) => encodeURIComponent(String(take(name)))));
    for (const name of query) {
      const value = take(name);
      if (value !== undefined) for (const one of [value].flat()) target.searchParams.append(name, String(one));
    }
    const answer = await fetch(target, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: \`Bearer \${token}\` }),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body: JSON.stringify(Object.fromEntries(rest)) } : {}),
    });
    if (answer.ok && isFile) return answer.arrayBuffer();
    const said: unknown = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(said));
    return said;
  };
  const entries = Object.entries(operations).map(([name, way]) => [name, (input?: Record<string, unknown>) => call(way, input)]);
  return Object.fromEntries(entries) as Client;
}`;
