// The actions that are MCP tools, and their schemas in a form that every client accepts: one type per field, no references,
// no unions, no keywords that some client rejects. What the schema omits is still checked when the tool is called.

import { z } from 'zod';
import { leavesLibrary, type Action, type McpBinding } from '../../actions/action.ts';
import { actionList } from '../../actions/actions.ts';
import { inputTypes } from '../input-types.ts';

export interface McpTool {
  readonly action: Action;
  readonly binding: McpBinding;
}

export const MCP_TOOLS: readonly McpTool[] = actionList.flatMap((action) => {
  const binding = action.bindings.mcp;
  return binding === undefined ? [] : [{ action, binding }];
});

/** As a client sees it. */
export interface ToolDefinition {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta?: Record<string, unknown>;
}

export function toolDefinition({ action, binding }: McpTool): ToolDefinition {
  const { title, description, fixedInput = {}, listedInputs, alwaysLoad, hints = [] } = binding;
  const inputSchema = toolInputSchema(action.input, Object.keys(fixedInput), listedInputs);
  // Without the input, there is no next page.
  const outputSchema = toolOutputSchema(action.output, 'cursor' in fixedInput ? ['nextCursor'] : []);
  const isReadOnly = leavesLibrary(action.effect);
  const annotations = {
    readOnlyHint: isReadOnly,
    // Both have no meaning for a tool that only reads.
    ...(isReadOnly
      ? {}
      : { destructiveHint: hints.includes('destructive'), idempotentHint: hints.includes('idempotent') }),
    openWorldHint: action.effect === 'network' || hints.includes('open-world'),
  };
  const meta = alwaysLoad === true ? { _meta: { 'anthropic/alwaysLoad': true } } : {};
  return { title, description, inputSchema, outputSchema, annotations, ...meta };
}

type Schema = { readonly [key: string]: unknown };
type Fields = Readonly<Record<string, Schema>>;

const ALLOWED_KEYWORDS: ReadonlySet<string> = new Set(['type', 'description', 'enum', 'items', 'properties']);

/** Inputs that the tool does not list, as texts: an object whose fields are not named is one that some clients reject. */
const SETTINGS = 'settings';

function toolInputSchema(input: z.ZodType, omitted: readonly string[], listed?: readonly string[]): Schema {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' }) as {
    properties?: Fields;
    required?: string[];
  };
  const all = Object.entries(properties).filter(([name]) => !omitted.includes(name));
  const fields = all.filter(([name]) => listed?.includes(name) ?? true);
  const others = all.flatMap(([name]) => (listed?.includes(name) === false ? [name] : []));
  const requiredFields = required.filter((name) => !omitted.includes(name));
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map(([name, field]) => [name, inputField(field)])),
      ...(others.length > 0 && { [SETTINGS]: otherInputs(others) }),
    },
    ...(requiredFields.length > 0 ? { required: requiredFields } : {}),
    additionalProperties: false,
  };
}

function otherInputs(names: readonly string[]): Schema {
  const description = `Rarely needed, each as name=value: ${names.join(', ')}`;
  return { type: 'array', description, items: { type: 'string' } };
}

/** The input of the action: what `settings` names is an input like the others, and a name that is repeated a list. */
export function namedInputs({ action, binding }: McpTool, input: unknown): unknown {
  const { [SETTINGS]: settings, ...others } = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (binding.listedInputs === undefined || !Array.isArray(settings)) return input;
  const types = inputTypes(action.input);
  const named = settings.map((text) => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(String(text)) ?? [];
    return [name.trim(), value.trim()] as const;
  });
  const grouped = [...Map.groupBy(named, ([name]) => name)].map(([name, pairs]) => {
    const values = pairs.map(([, value]) => value);
    return [name, types.get(name) === 'array' ? values : values.at(-1)] as const;
  });
  return { ...others, ...Object.fromEntries(grouped) };
}

function inputField(schema: Schema): Schema {
  const whole = { ...schema, ...variantOf(schema) };
  const description = describeField(whole);
  const described: Schema = { ...whole, ...(description === '' ? {} : { description }) };
  const entries = Object.entries(described).filter(([key]) => ALLOWED_KEYWORDS.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'items' ? inputField(value as Schema) : value]),
  );
}

/** Bounds and default are part of the description, because some clients reject the keywords for them. */
function describeField({ description = '', default: usual, minimum, maximum }: Schema): string {
  const limits = [
    ...(isLimit(minimum) && isLimit(maximum) ? [`${minimum} to ${maximum}`] : []),
    ...(typeof usual === 'number' || (typeof usual === 'string' && usual !== '') ? [`default ${usual}`] : []),
  ];
  return limits.length === 0 ? String(description) : `${String(description)} (${limits.join(', ')})`.trim();
}

/** The schema of any integer has the largest safe ones as limits. */
function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

/** The variant of a nullable field that is not null; of a field that takes one or a list, the list. */
function variantOf({ type, anyOf }: { readonly type?: unknown; readonly anyOf?: readonly Schema[] }): Schema {
  if (Array.isArray(type)) return { type: type.find((one) => one !== 'null') };
  return anyOf?.find(({ type: one }) => one === 'array') ?? anyOf?.find(({ type: one }) => one !== 'null') ?? {};
}

/**
 * Short, because every client pays for the list of tools: without descriptions, with the first list of objects spelled out as the
 * only list, and without what has no simple type, which can be seen in the result itself. A nullable field of a list item would have
 * two types; one of the result is left out where it is null, see `withoutNulls`.
 */
function toolOutputSchema(output: z.ZodType, omitted: readonly string[]): Schema {
  const { properties = {} } = z.toJSONSchema(output, { io: 'input' }) as { properties?: Fields };
  const fields = Object.entries(properties)
    .filter(([name]) => !omitted.includes(name))
    .map(([name, field]) => [name, { ...field, ...variantOf(field) }] as const);
  const main = fields.find(([, field]) => itemSchema(field) !== null)?.[0];
  const described = fields.flatMap(([name, field]) => {
    const item = name === main ? itemSchema(field) : null;
    if (item !== null) return [[name, { type: 'array', items: describeItem(item) }] as const];
    return field.type === 'array' ? [] : simpleField(name, field);
  });
  return { type: 'object', properties: Object.fromEntries(described) };
}

/** The items of a list of objects; null for anything else. */
function itemSchema({ type, items }: { readonly type?: unknown; readonly items?: unknown }): Schema | null {
  const inner = (items ?? {}) as Schema;
  return type === 'array' && inner['type'] === 'object' ? inner : null;
}

function describeItem({ properties = {} }: { readonly properties?: Fields }): Schema {
  const fields = Object.entries(properties).flatMap(([name, field]) => simpleField(name, field));
  return { type: 'object', properties: Object.fromEntries(fields) };
}

const SIMPLE_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean']);

/** A value of a simple type, or a list of such values; otherwise nothing. A mark with one value is explained in the text. */
function simpleField(name: string, { type, items, const: mark }: Schema): ReadonlyArray<readonly [string, Schema]> {
  if (mark === true) return [];
  if (SIMPLE_TYPES.has(type)) return [[name, { type }]];
  const itemType = type === 'array' ? (items as Schema | undefined)?.['type'] : undefined;
  return SIMPLE_TYPES.has(itemType) ? [[name, { type, items: { type: itemType } }]] : [];
}
