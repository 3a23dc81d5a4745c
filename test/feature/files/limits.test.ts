// The limits of local files: settings on the command line and the server, constants in browser mode.

import { expect, test } from 'vitest';
import { bundleLimits } from '../../../src/core/chunk/chunker.ts';
import { FILE_SOURCE_LIMITS } from '../../../src/core/files/file-limits.ts';
import { loadConfig } from '../../../src/platform/config/load-config.ts';

function limits(env: Readonly<Record<string, string>>) {
  const sources = { env: { HOME: '/home/ada', ...env }, cwd: '/', readFile: () => null };
  const { chunk, files } = loadConfig(sources).config;
  const { maxFileBytes, maxSourceBytes, maxFiles } = files;
  return {
    chunks: { targetChars: chunk.fileTargetChars, capChars: chunk.fileMaxChars, maxChunks: chunk.maxPerFile },
    files: { maxFileBytes, maxSourceBytes, maxFiles },
  };
}

test('every limit of files is a setting, and its default is that of browser mode', () => {
  const { cutsAtHeadings: _, ...chunks } = bundleLimits;
  expect(limits({})).toEqual({ chunks, files: FILE_SOURCE_LIMITS });
  const chosen = {
    PINAKES_CHUNK_FILE_TARGET_CHARS: '11',
    PINAKES_CHUNK_FILE_MAX_CHARS: '12',
    PINAKES_CHUNK_MAX_PER_FILE: '13',
    PINAKES_FILES_MAX_FILE_BYTES: '14',
    PINAKES_FILES_MAX_SOURCE_BYTES: '15',
    PINAKES_FILES_MAX_FILES: '16',
  };
  expect(limits(chosen)).toEqual({
    chunks: { targetChars: 11, capChars: 12, maxChunks: 13 },
    files: { maxFileBytes: 14, maxSourceBytes: 15, maxFiles: 16 },
  });
});
