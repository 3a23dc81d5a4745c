// The OpenAPI document of the HTTP API, generated from the same declarations as its routes.

import { z } from 'zod';
import type { HttpBinding } from '../../actions/action.ts';
import { httpRoutes, pathInputs, type HttpRoute } from './http-routes.ts';

type Schema = Readonly<Record<string, unknown>>;

export function openapiDocument(version: string): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const route of httpRoutes) {
    const path = `/api${route.binding.path}`;
    paths[path] = { ...paths[path], [route.binding.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Pinakes', version, description: 'Documentation as a searchable, citable library.' },
    paths,
    components: {
      schemas: { Error: ERROR },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
    security: [{}, { token: [] }],
  };
}

function operationOf({ action, binding }: HttpRoute): Schema {
  const { properties = {}, required = [] } = z.toJSONSchema(action.input, { io: 'input' }) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const fixed = new Set(Object.keys(binding.fixedInput ?? {}));
  const inPath = new Set(pathInputs(binding));
  const others = Object.keys(properties).filter((name) => !fixed.has(name) && !inPath.has(name));
  const isPost = binding.method === 'POST';
  return {
    operationId: operationId(action.name, binding),
    summary: action.summary,
    'x-effect': action.effect,
    parameters: [
      ...[...inPath].map((name) => parameter(name, 'path', true, properties[name])),
      ...(isPost ? [] : others.map((name) => parameter(name, 'query', required.includes(name), properties[name]))),
    ],
    ...(isPost && others.length > 0
      ? { requestBody: { required: true, content: json(bodySchema(others, properties, required)) } }
      : {}),
    responses: {
      200: { description: 'Success', content: contentOf(action, binding) },
      default: { description: 'Error', content: json({ $ref: '#/components/schemas/Error' }) },
    },
  };
}

/** An action with several routes has an id for each: by its fixed inputs, otherwise by the words of its path. */
function operationId(name: string, binding: HttpBinding): string {
  const routes = httpRoutes.filter(({ action }) => action.name === name).length;
  if (routes === 1) return name;
  const fixed = Object.values(binding.fixedInput ?? {});
  const words = binding.path
    .split('/')
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/[{}]/g, ''));
  return [name, ...(fixed.length > 0 ? fixed : words)].join('_');
}

function bodySchema(names: readonly string[], properties: Record<string, Schema>, required: readonly string[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    required: required.filter((name) => names.includes(name)),
    additionalProperties: false,
  };
}

function parameter(name: string, location: 'path' | 'query', required: boolean, schema: Schema | undefined): Schema {
  const { description = '', ...rest } = schema ?? {};
  return { name, in: location, required, description, schema: rest };
}

function contentOf(action: HttpRoute['action'], { file }: HttpBinding): Schema {
  if (file !== undefined) return { [file.mediaType]: { schema: { type: 'string', format: 'binary' } } };
  return json(z.toJSONSchema(action.output, { io: 'input' }));
}

function json(schema: unknown): Schema {
  return { 'application/json': { schema } };
}

const ERROR: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'nextStep', 'requestId'],
      properties: {
        code: { type: 'string', description: 'Stable; see the error reference' },
        message: { type: 'string' },
        nextStep: { type: ['string', 'null'] },
        requestId: { type: 'string' },
      },
    },
  },
};
