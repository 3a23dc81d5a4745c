import { describe, expect, test } from 'vitest';
import { createNodeGrammarFiles } from '../../../parse/node-grammar-files.ts';
import { createGrammarLoader } from './grammar-loader.ts';
import { grammars } from './grammars.table.ts';

const PYTHON = grammars['python']!.file;

describe('languages whose grammar is not installed', () => {
  test('are found without reading an installed grammar twice', async () => {
    const { files, reads } = installedFiles();
    const loader = createGrammarLoader(files);
    expect(await loader.missing()).toEqual([]);
    const once = [...reads];
    expect(new Set(once).size).toBe(once.length);
    expect(await loader.missing()).toEqual([]);
    expect(reads).toEqual(once);
  });

  test('include one that is installed later until it is there', async () => {
    const { files, removed } = installedFiles();
    removed.add(PYTHON);
    const loader = createGrammarLoader(files);
    expect(await loader.missing()).toEqual(['python']);
    removed.delete(PYTHON);
    expect(await loader.missing()).toEqual([]);
  });

  test('include one that turns out to be gone when it is loaded', async () => {
    const { files, removed } = installedFiles();
    const loader = createGrammarLoader(files);
    expect(await loader.missing()).toEqual([]);
    removed.add(PYTHON);
    await expect(loader.prepare('python')).rejects.toMatchObject({ code: 'chunk.grammar-missing' });
    expect(await loader.missing()).toEqual(['python']);
    removed.delete(PYTHON);
    await loader.prepare('python');
    expect(loader.ready('python')).not.toBeNull();
  });
});

/** The real files, with what was read of them and what counts as removed. */
function installedFiles() {
  const installed = createNodeGrammarFiles();
  const reads: string[] = [];
  const removed = new Set<string>();
  const files = {
    ...installed,
    async grammar(file: string) {
      reads.push(file);
      return removed.has(file) ? null : installed.grammar(file);
    },
  };
  return { files, reads, removed };
}
