// Every public name by the surface it occurs on, from the declarations: nothing is typed here.

import { z } from 'zod';
import { actionList } from '../../src/actions/actions.ts';
import { EventView } from '../../src/actions/list-journal.ts';
import { errorCatalog } from '../../src/core/model/errors.ts';
import { OUTCOME_NAMES } from '../../src/core/model/outcome.ts';
import { PROBLEM_KINDS } from '../../src/core/outcome/problem-kinds.table.ts';
import { reasons } from '../../src/core/outcome/reasons.table.ts';
import { describeSettings } from '../../src/platform/config/settings.ts';
import { METRICS, type MetricDeclaration } from '../../src/platform/metrics.table.ts';
import { EVENT_KINDS } from '../../src/serve/http/event-kinds.table.ts';
import { describedCommands, describedProgram } from '../reference/described-program.ts';

export interface PublicName {
  readonly surface: string;
  readonly name: string;
}

export function publicNames(): readonly PublicName[] {
  return [...actionNames(), ...commandNames(), ...tableNames()];
}

function actionNames(): PublicName[] {
  return actionList.flatMap(({ name, input, output, bindings }) => [
    { surface: 'action', name },
    ...[bindings.http ?? []].flat().map(({ path }) => ({ surface: 'HTTP route', name: path })),
    ...(bindings.mcp === undefined ? [] : [{ surface: 'MCP tool', name }]),
    ...fieldNames(input, 'input').map((field) => ({ surface: 'JSON input', name: field })),
    ...fieldNames(output, 'output').map((field) => ({ surface: 'JSON output', name: field })),
  ]);
}

function commandNames(): PublicName[] {
  return describedCommands(describedProgram()).flatMap(({ words, command }) => [
    { surface: 'command', name: words },
    ...command.options.map(({ long }) => ({ surface: 'flag', name: long ?? '' })),
  ]);
}

function tableNames(): PublicName[] {
  const labelNames = Object.values(METRICS).flatMap(({ starts }: MetricDeclaration) =>
    Object.values(starts ?? {}).flat(),
  );
  const named: ReadonlyArray<readonly [surface: string, names: readonly string[]]> = [
    ['setting', describeSettings().map(({ path }) => path)],
    ['event', Object.keys(EVENT_KINDS)],
    ['event field', fieldNames(EventView, 'output')],
    ['outcome', OUTCOME_NAMES],
    ['reason', Object.keys(reasons)],
    ['problem', PROBLEM_KINDS],
    ['error', errorCatalog().map(({ code }) => code)],
    ['metric', Object.keys(METRICS)],
    ['metric label', labelNames],
  ];
  return named.flatMap(([surface, names]) => names.map((name) => ({ surface, name })));
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
}

/** Names of fields at any depth, and the values of enumerations. */
function fieldNames(schema: z.ZodType, io: 'input' | 'output'): string[] {
  const names = new Set<string>();
  const visit = ({ properties = {}, items, anyOf = [], enum: values = [] }: JsonSchema): void => {
    for (const value of values) if (typeof value === 'string') names.add(value);
    for (const [name, field] of Object.entries(properties)) {
      names.add(name);
      visit(field);
    }
    for (const part of [...(items === undefined ? [] : [items]), ...anyOf]) visit(part);
  };
  visit(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema);
  return [...names];
}

/** The words of a name in any case: `maxUrlsPerPattern`, `not-found`, `list_urls`, `/sources/{source}`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => /[a-z]/.test(word));
}
