import { expect, test } from 'vitest';
import { sqliteFailure } from './sqlite-failure.ts';

const result = (errcode: number): Error =>
  Object.assign(new Error('said SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });
const system = (code: string): Error => Object.assign(new Error('said the system'), { code });

test.each([
  ['SQLITE_FULL', result(13), 'database.full'],
  ['SQLITE_IOERR_SHMSIZE', result(4874), 'database.full'],
  ['SQLITE_READONLY_DIRECTORY', result(1544), 'database.readonly'],
  ['SQLITE_IOERR_FSYNC', result(1034), 'database.broken'],
  ['SQLITE_CORRUPT', result(11), 'database.broken'],
  ['ENOSPC', system('ENOSPC'), 'database.full'],
  ['EROFS', system('EROFS'), 'database.readonly'],
  ['EIO', system('EIO'), 'database.broken'],
])('%s has a name of ours', (_, error, meant) => {
  expect(sqliteFailure(error)).toMatchObject({ code: meant, cause: error });
});

test.each([result(19), system('ENOENT'), 'no error at all'])('%s stays as it is', (error) => {
  expect(sqliteFailure(error)).toBe(error);
});
