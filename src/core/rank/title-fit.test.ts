import { expect, test } from 'vitest';
import { parseQuery, queryTerms, type ParsedQuery } from '../lexical/query/parsed-query.ts';
import { titleFit } from './title-fit.ts';

function fit(query: string, title: string, source = 'npm:rich', namesSource?: ParsedQuery['namesSource']): number {
  return titleFit({ ...parseQuery(query, queryTerms(query, 0.2)), namesSource }, { title, source });
}

test('the page of a package that is named for the subject fits better than one named for a part of it', () => {
  expect(fit('rich live overflow', 'rich.live')).toBe(1);
  expect(fit('rich live overflow', 'rich.live_render')).toBe(0.5);
  expect(fit('rich live overflow', 'rich.table')).toBe(0);
});

test('only the file or the module of a path counts, and no word of the name of the package', () => {
  expect(fit('keep completed jobs', 'bullmq/dist/types/keep-jobs', 'npm:bullmq')).toBe(1);
  expect(fit('clap arg', 'clap::builder::arg', 'cargo:clap')).toBe(1);
  expect(fit('rich text', 'rich')).toBe(0);
});

test('titles of other sources, and of packages that the query does not name, fit nothing', () => {
  expect(fit('live', 'Live', 'docs')).toBe(0);
  expect(fit('live', 'rich.live', 'npm:rich', () => false)).toBe(0);
  expect(fit('rich live', 'rich.live', 'npm:rich', () => true)).toBe(1);
});
