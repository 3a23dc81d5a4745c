// Every fault of the list is played, or has a reason why not.

import { expect, test } from 'vitest';
import { readCases } from '../support/read-cases.ts';
import { ELSEWHERE } from './not-tested.table.ts';
import { FAULTS } from './faults.ts';

const { faults } = readCases('faults') as { faults: ReadonlyArray<{ id: string; name: string }> };
const played = new Set(FAULTS.map(({ id }) => id));

for (const { id, name } of faults) {
  test(`[${id}] ${name} is played, or says where else it belongs`, () => {
    expect(played.has(id)).not.toBe(id in ELSEWHERE);
  });
}

test('no fault is played that the list does not know', () => {
  const known = new Set(faults.map(({ id }) => id));
  expect([...played, ...Object.keys(ELSEWHERE)].filter((id) => !known.has(id))).toEqual([]);
});
