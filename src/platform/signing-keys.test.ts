import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../../test/support/temporary-folder.ts';
import {
  generateSigningKeys,
  publishedAt,
  readSigningKeys,
  rotateSigningKeys,
  signingKeyAt,
  watchSigningKeys,
} from './signing-keys.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-09-01T00:00:00Z');
const rotation = { now: NOW, overlapMs: 24 * HOUR, revokes: false };

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryDirectory();
  path = join(folder, 'keys.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The private parts, as the file has them. */
const secrets = (): string[] =>
  (JSON.parse(readFileSync(path, 'utf8')) as { keys: { d: string }[] }).keys.map(({ d }) => d);

test('a generated key signs at once, and only its user may read it', () => {
  const [key] = generateSigningKeys(path, NOW);
  expect(signingKeyAt(readSigningKeys(path), NOW)?.keyId).toBe(key?.keyId);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(() => generateSigningKeys(path, NOW)).toThrow(
    expect.objectContaining({
      code: 'signing.exists',
      nextStep: expect.stringContaining(`signing-keys rotate ${path}`),
    }),
  );
});

test('a rotation publishes the new key before it signs, and the last one after it signed', () => {
  const [old] = generateSigningKeys(path, NOW - HOUR);
  const keys = rotateSigningKeys(path, rotation);
  const next = keys.find(({ keyId }) => keyId !== old?.keyId);
  const at = (hours: number) => ({
    signs: signingKeyAt(keys, NOW + hours * HOUR)?.keyId,
    published: publishedAt(keys, NOW + hours * HOUR).length,
  });
  expect(at(0)).toEqual({ signs: old?.keyId, published: 2 });
  expect(at(23.9)).toEqual({ signs: old?.keyId, published: 2 });
  expect(at(24)).toEqual({ signs: next?.keyId, published: 2 });
  expect(at(47.9)).toEqual({ signs: next?.keyId, published: 2 });
  expect(at(48)).toEqual({ signs: next?.keyId, published: 1 });
  expect(rotateSigningKeys(path, { ...rotation, now: NOW + 100 * HOUR })).toHaveLength(2);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['keys.json']);
});

test('revocation leaves only a new key, which signs at once', () => {
  const [old] = generateSigningKeys(path, NOW - HOUR);
  rotateSigningKeys(path, rotation);
  const keys = rotateSigningKeys(path, { ...rotation, revokes: true });
  expect(keys).toHaveLength(1);
  expect(keys[0]?.keyId).not.toBe(old?.keyId);
  expect(signingKeyAt(keys, NOW)?.keyId).toBe(keys[0]?.keyId);
});

test('a rotation follows a link to its file, and a second one at the same time is refused', () => {
  generateSigningKeys(path, NOW);
  const link = join(folder, 'link.json');
  symlinkSync(path, link);
  expect(rotateSigningKeys(link, rotation)).toHaveLength(2);
  expect(readSigningKeys(path)).toHaveLength(2);
  writeFileSync(`${path}.part`, '');
  expect(() => rotateSigningKeys(path, rotation)).toThrow('a rotation is running');
});

test('a running process uses the keys of a rotation, and keeps the last ones of a damaged file', () => {
  let now = NOW;
  const [old] = generateSigningKeys(path, NOW);
  const keys = watchSigningKeys(path, () => now);
  const [next] = rotateSigningKeys(path, { ...rotation, revokes: true });
  expect(keys().map(({ keyId }) => keyId)).toEqual([old?.keyId]);
  now += 30_000;
  expect(keys().map(({ keyId }) => keyId)).toEqual([next?.keyId]);
  writeFileSync(path, 'damaged');
  now += 30_000;
  expect(keys().map(({ keyId }) => keyId)).toEqual([next?.keyId]);
});

test('no error and no inspection of a key shows its private part', () => {
  generateSigningKeys(path, NOW);
  const [secret = ''] = secrets();
  const text = readFileSync(path, 'utf8');
  const damaged = [
    text.slice(0, -20),
    text.replace('Ed25519', 'X25519'),
    text.replace(/"x": "[^"]+"/, `"x": "${'A'.repeat(43)}"`),
    text.replace(/"signsFrom": "[^"]+"/, '"signsFrom": "soon"'),
    secret,
    '{"keys":[]}',
    'null',
    ' '.repeat(70_000),
  ];
  for (const content of damaged) {
    writeFileSync(path, content);
    const error = (() => {
      try {
        readSigningKeys(path);
        return null;
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ code: 'signing.unusable' });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret.slice(0, 8));
  }
  writeFileSync(path, text);
  const keys = readSigningKeys(path);
  expect(inspect(keys, { depth: 9, showHidden: true }) + JSON.stringify(keys)).not.toContain(secret.slice(0, 8));
});

test('a file that others may read or change is refused', () => {
  generateSigningKeys(path, NOW);
  for (const mode of [0o604, 0o620, 0o602, 0o644]) {
    chmodSync(path, mode);
    expect(() => readSigningKeys(path)).toThrow('chmod 600');
  }
  chmodSync(path, 0o640);
  expect(readSigningKeys(path)).toHaveLength(1);
});
