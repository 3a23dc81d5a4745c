import { expect, test } from 'vitest';
import { sqliteFailure } from './sqlite-failure.ts';

const result = (errcode: number): Error =>
  Object.assign(new Error('from SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });
const system = (code: string): Error => Object.assign(new Error('from the system'), { code });

test.each([
  ['SQLITE_FULL', result(13), 'database.full'],
  ['SQLITE_IOERR_SHMSIZE', result(4874), 'database.full'],
  ['SQLITE_READONLY_DIRECTORY', result(1544), 'database.readonly'],
  ['SQLITE_IOERR_FSYNC', result(1034), 'database.io-error'],
  ['SQLITE_CORRUPT', result(11), 'database.corrupt'],
  ['SQLITE_NOTADB', result(26), 'database.corrupt'],
  ['SQLITE_CANTOPEN', result(14), 'database.readonly'],
  ['ENOSPC', system('ENOSPC'), 'database.full'],
  ['EROFS', system('EROFS'), 'database.readonly'],
  ['EIO', system('EIO'), 'database.io-error'],
])('%s is mapped', (_, error, code) => {
  expect(sqliteFailure(error)).toMatchObject({ code, cause: error });
});

test.each([result(19), system('ENOENT'), 'not an error'])('%s is returned unchanged', (error) => {
  expect(sqliteFailure(error)).toBe(error);
});
