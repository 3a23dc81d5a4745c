import { expect, test } from 'vitest';
import { ANONYMOUS } from '../../../platform/access-token.ts';
import { createKnownIssued } from './known-issued.ts';

function counting(until: number | null) {
  const clock = { ms: 0 };
  const verified: string[] = [];
  const find = createKnownIssued(
    async (token) => {
      verified.push(token);
      return token.startsWith('valid') ? { ...ANONYMOUS, token: `oauth:${token}`, until } : null;
    },
    () => clock.ms,
  );
  return { clock, verified, find };
}

test('forged tokens of one address are verified at a bounded rate, and known ones pass all the time', async () => {
  const { verified, find, clock } = counting(null);
  await find('valid', 'a');
  for (let nth = 0; nth < 10_000; nth += 1) await find(`forged ${nth}`, 'a').catch(() => null);
  expect(verified.length).toBe(120);
  await expect(find('forged', 'a')).rejects.toMatchObject({ code: 'http.rate-limited' });
  expect((await find('valid', 'a'))?.token).toBe('oauth:valid');
  expect((await find('valid too', 'b'))?.token).toBe('oauth:valid too');
  clock.ms += 60_000;
  expect((await find('valid three', 'a'))?.token).toBe('oauth:valid three');
});

test('a known token is verified again after some minutes, and once it has expired', async () => {
  const { verified, find, clock } = counting(60_000);
  await find('valid', 'a');
  await find('valid', 'a');
  expect(verified).toHaveLength(1);
  clock.ms = 60_000;
  await find('valid', 'a');
  expect(verified).toHaveLength(2);
  const lasting = counting(null);
  await lasting.find('valid', 'a');
  lasting.clock.ms = 300_001;
  await lasting.find('valid', 'a');
  expect(lasting.verified).toHaveLength(2);
});
