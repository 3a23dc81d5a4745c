import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseTypedFields } from './input-types.ts';

const schema = z.strictObject({
  limit: z.int().default(8),
  rate: z.number().nullable().optional(),
  brief: z.boolean().default(false),
  name: z.string(),
});

test('texts become the numbers and switches that their fields are', () => {
  const input = { limit: '3', rate: '0.5', brief: 'true', name: '3' };
  expect(schema.parse(parseTypedFields(schema, input))).toEqual({ limit: 3, rate: 0.5, brief: true, name: '3' });
});

test('anything else stays as it is, so that the schema rejects it by name', () => {
  for (const input of [{ limit: '3x' }, { limit: '1e9' }, { limit: '' }, { brief: 'yes' }, { limit: ['3'] }])
    expect(parseTypedFields(schema, input)).toEqual(input);
  for (const input of [null, 'x', ['3'], undefined]) expect(parseTypedFields(schema, input)).toBe(input);
});
