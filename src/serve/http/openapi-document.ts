// The OpenAPI document of the HTTP API, generated from the same declarations as its routes.

import { z } from 'zod';
import { leavesLibrary, type Effect, type HttpBinding } from '../../actions/action.ts';
import { EventView } from '../../actions/list-journal.ts';
import { errorCatalog } from '../../core/model/errors.ts';
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
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    paths: { ...paths, ...STREAM_OPERATIONS },
    components: {
      schemas: { Error: ERROR, Event: z.toJSONSchema(EventView, { io: 'input' }) },
      responses: ERROR_RESPONSES,
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
  const hasBody = binding.method === 'POST' || binding.method === 'PATCH';
  return {
    operationId: binding.operation ?? action.name,
    summary: action.summary,
    'x-effect': action.effect,
    parameters: [
      ...[...inPath].map((name) => parameter(name, 'path', true, properties[name])),
      ...(hasBody ? [] : others.map((name) => parameter(name, 'query', required.includes(name), properties[name]))),
    ],
    ...(hasBody && others.length > 0
      ? { requestBody: { required: true, content: json(bodySchema(others, properties, required)) } }
      : {}),
    responses: {
      [binding.status ?? 200]: {
        description: SUCCESS[binding.status ?? 200] ?? '',
        content: contentOf(action, binding),
      },
      ...errorResponses(inPath.size > 0, action.effect),
    },
  };
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
  if (file !== undefined) {
    const types = [file, ...Object.values(file.formats ?? {})].map(({ mediaType }) => mediaType);
    return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  }
  return json(z.toJSONSchema(action.output, { io: 'input' }));
}

function json(schema: unknown): Schema {
  return { 'application/json': { schema } };
}

const SUCCESS: Readonly<Record<number, string>> = { 200: 'Success', 201: 'Created', 202: 'Started' };

/** What each status of an error means; `default` stands for all others. */
const ERROR_STATUSES: Readonly<Record<number, string>> = {
  400: 'The input is invalid',
  401: 'An access token is required',
  403: 'The access token does not allow it',
  404: 'There is nothing by this name',
  409: 'The state of the library does not allow it now',
  429: 'Too many requests; see `retry-after`',
  503: 'Overloaded, or the database is unavailable; try again later',
};

const ERROR_RESPONSES: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(ERROR_STATUSES).map(([status, description]) => {
    const codes = errorCatalog().filter(({ http }) => http === Number(status));
    return [`Error${status}`, { ...errorResponse(description), 'x-codes': codes.map(({ code }) => code) }];
  }),
);

function errorResponse(description: string): Schema {
  return { description, content: json({ $ref: '#/components/schemas/Error' }) };
}

function errorResponses(hasPathInputs: boolean, effect: Effect): Schema {
  const statuses = [400, 401, ...(effect === 'read' ? [] : [403]), ...(hasPathInputs ? [404] : [])];
  const all = [...statuses, ...(leavesLibrary(effect) ? [] : [409]), 429, 503];
  const references = all.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]);
  return { ...Object.fromEntries(references), default: errorResponse('Any other error') };
}

/** The streams, which no action has. */
const STREAM_OPERATIONS: Readonly<Record<string, Record<string, Schema>>> = {
  '/events': {
    get: {
      operationId: 'stream_events',
      summary: 'Stream events as they are committed',
      'x-effect': 'read',
      parameters: [
        parameter('run', 'query', false, { type: 'integer', description: 'Only events of this run' }),
        parameter('after', 'query', false, { type: 'integer', description: 'Only events after this number' }),
        parameter('logs', 'query', false, { type: 'string', enum: ['0', '1'], description: '0 omits log frames' }),
        parameter('ticket', 'query', false, { type: 'string', description: 'Instead of an access token' }),
      ],
      responses: {
        200: {
          description: 'Server-sent events. The data of a frame with an id is an event; the id continues the stream.',
          content: {
            'text/event-stream': { schema: { type: 'string' }, 'x-frame': { $ref: '#/components/schemas/Event' } },
          },
        },
        ...errorResponses(false, 'read'),
      },
    },
  },
  '/api/changes/stream': {
    get: {
      operationId: 'stream_changes',
      summary: 'Stream changes as they are committed',
      'x-effect': 'read',
      parameters: [
        parameter('since', 'query', false, { type: 'string', description: 'Only changes after this position' }),
        parameter('source', 'query', false, { type: 'string', description: 'Only changes of this source' }),
        parameter('ticket', 'query', false, { type: 'string', description: 'Instead of an access token' }),
      ],
      responses: {
        200: {
          description: 'Server-sent events. The data of a frame is a change, and its id is the position of the change.',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        ...errorResponses(false, 'read'),
      },
    },
  },
  '/events/ticket': {
    post: {
      operationId: 'create_ticket',
      summary: 'A one-time ticket for a stream, for browsers, whose EventSource cannot send a token',
      'x-effect': 'read',
      parameters: [],
      responses: {
        200: {
          description: SUCCESS[200],
          content: json({ type: 'object', required: ['ticket'], properties: { ticket: { type: 'string' } } }),
        },
        ...errorResponses(false, 'read'),
      },
    },
  },
};

const ERROR: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'nextStep', 'details', 'requestId'],
      properties: {
        code: { type: 'string', description: 'Stable; see the error reference' },
        message: { type: 'string' },
        nextStep: { type: ['string', 'null'] },
        details: {
          type: 'object',
          additionalProperties: { type: ['string', 'number'] },
          description: 'What the message was filled with',
        },
        requestId: { type: 'string' },
      },
    },
  },
};
