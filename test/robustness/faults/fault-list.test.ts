// Every fault of the list is tested, or has a reason why not.

import { expect, test } from 'vitest';
import { readCases } from '../../support/read-cases.ts';
import { NOT_TESTED } from './not-tested.table.ts';
import { FAULTS } from './faults.ts';

const { faults } = readCases('faults') as { faults: ReadonlyArray<{ id: string; name: string }> };
const played = new Set(FAULTS.map(({ id }) => id));

for (const { id, name } of faults) {
  test(`[${id}] ${name} is tested, or has a reason why not`, () => {
    expect(played.has(id)).not.toBe(id in NOT_TESTED);
  });
}

test('no fault is tested that is not on the list', () => {
  const known = new Set(faults.map(({ id }) => id));
  expect([...played, ...Object.keys(NOT_TESTED)].filter((id) => !known.has(id))).toEqual([]);
});
