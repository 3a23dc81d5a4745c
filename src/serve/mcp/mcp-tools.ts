// The actions that are MCP tools, and their schemas in a form that every client accepts: one type per field, no references,
// no unions, no keywords that some client rejects. What the schema omits is still checked when the tool is called.

import { z } from 'zod';
import type { Action, McpBinding } from '../../actions/action.ts';
import { actions } from '../../actions/actions.ts';

export interface McpTool {
  readonly action: Action;
  readonly binding: McpBinding;
}

/** Tools that change the library are opt-in, because an agent can be talked into anything. */
export function mcpTools(adminTools: boolean): readonly McpTool[] {
  return actions.flatMap((action) => {
    const binding = action.bindings.mcp;
    if (binding === undefined || (binding.tools === 'opt-in' && !adminTools)) return [];
    return [{ action, binding }];
  });
}

type Schema = { readonly [key: string]: unknown };
type Fields = Readonly<Record<string, Schema>>;

const ALLOWED_KEYWORDS: ReadonlySet<string> = new Set(['type', 'description', 'enum', 'items', 'properties']);

export function toolInputSchema(input: z.ZodType, omitted: readonly string[]): Schema {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' }) as {
    properties?: Fields;
    required?: string[];
  };
  const fields = Object.entries(properties).filter(([name]) => !omitted.includes(name));
  const requiredFields = required.filter((name) => !omitted.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, inputField(field)])),
    ...(requiredFields.length > 0 ? { required: requiredFields } : {}),
    additionalProperties: false,
  };
}

function inputField(schema: Schema): Schema {
  const whole = { ...schema, ...variantOf(schema) };
  const entries = Object.entries(whole).filter(([key]) => ALLOWED_KEYWORDS.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'items' ? inputField(value as Schema) : value]),
  );
}

/** The variant of a nullable field that is not null. */
function variantOf({ type, anyOf }: { readonly type?: unknown; readonly anyOf?: readonly Schema[] }): Schema {
  if (Array.isArray(type)) return { type: type.find((one) => one !== 'null') };
  return anyOf?.find((variant) => variant['type'] !== 'null') ?? {};
}

/**
 * Omits descriptions, and nullable fields, which would have two types. Only the first list of objects is spelled out: the
 * rest can be seen in the result itself, and the list of tools must stay short.
 */
export function toolOutputSchema(output: z.ZodType): Schema {
  const fields = typedFields(z.toJSONSchema(output, { io: 'input' }) as Schema);
  const main = fields.find(([, field]) => itemSchema(field) !== null)?.[0];
  const properties = fields.map(([name, field]) => {
    const item = name === main ? itemSchema(field) : null;
    return [name, item === null ? flatten(field) : { type: 'array', items: describeItem(item) }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function typedFields({ properties = {} }: { readonly properties?: Fields }): [string, Schema][] {
  return Object.entries(properties).filter(([, { type }]) => typeof type === 'string');
}

/** The items of a list of objects; null for anything else. */
function itemSchema({ type, items }: { readonly type?: unknown; readonly items?: unknown }): Schema | null {
  const inner = (items ?? {}) as Schema;
  return type === 'array' && inner['type'] === 'object' ? inner : null;
}

function describeItem(item: Schema): Schema {
  const fields = typedFields(item).map(([name, field]) => [name, flatten(field)] as const);
  return { type: 'object', properties: Object.fromEntries(fields) };
}

function flatten({ type, items }: { readonly type?: unknown; readonly items?: unknown }): Schema {
  return type === 'array' ? { type, items: flatten(items ?? {}) } : { type };
}
