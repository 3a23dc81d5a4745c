import { expect, test } from 'vitest';
import { createRedactor } from '../redact.ts';
import { loadConfig } from './load-config.ts';
import { secretValues } from './print-config.ts';

function secretsWith(databaseUrl: string): readonly string[] {
  const env = { HOME: '/home/ada', PINAKES_DATABASE_URL: databaseUrl };
  return secretValues(loadConfig({ env, cwd: '/project', readFile: () => null, platform: 'linux' }).config);
}

test('the password of the database is a secret, as written and decoded', () => {
  const secrets = secretsWith('postgres://ada:p%40ssword@db.example/docs');
  expect(secrets).toEqual(expect.arrayContaining(['p%40ssword', 'p@ssword']));
  expect(createRedactor(secrets)('login with p@ssword failed')).toBe('login with [redacted] failed');
});

test('a password in a parameter is a secret', () => {
  expect(secretsWith('postgres://db.example/docs?password=letmein')).toContain('letmein');
});

test('a configuration without secrets yields none', () => {
  expect(secretsWith('')).toEqual([]);
});
