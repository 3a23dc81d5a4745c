// The types of every action, from both entries.

import { describe, expect, expectTypeOf, test } from 'vitest';
import { actions } from '../../../src/actions/actions.ts';
import type * as client from '../../../src/client/index.ts';
import type * as root from '../../../src/index.ts';
import { examples } from './action-examples.table.ts';

describe('[K5] the input and the output of an action are what its types say', () => {
  test.each(Object.entries(examples))('%s', (name, example) => {
    const { input, output } = actions[name as root.ActionName];
    expect(input.parse(example.input)).toMatchObject(example.input);
    // Fields that the schema does not have would be dropped.
    expect(output.parse(example.output)).toMatchObject(example.output);
  });
});

test('[K5] both entries have the same types', () => {
  type Both<Entry extends 'root' | 'client'> = {
    readonly [Name in root.ActionName]: Entry extends 'root'
      ? [root.ActionInput<Name>, root.ActionOutput<Name>]
      : [client.ActionInput<Name>, client.ActionOutput<Name>];
  };
  expectTypeOf<Both<'client'>>().toEqualTypeOf<Both<'root'>>();
  expectTypeOf<client.Library>().toEqualTypeOf<root.Library>();
});

test('[K5] a misspelled action, input or field does not compile', () => {
  const use = async (library: root.Library): Promise<void> => {
    // @ts-expect-error -- no such action
    await library.call('serch_docs', { query: 'pool' });
    // @ts-expect-error -- no such input
    await library.call('search_docs', { query: 'pool', lmit: 5 });
    // @ts-expect-error -- a limit that is no number
    await library.search({ query: 'pool', limit: 'many' });
    const { passages } = await library.search('pool');
    // @ts-expect-error -- no such field
    passages[0]?.uri.at(0);
    expectTypeOf(passages[0]?.url).toEqualTypeOf<string | undefined>();
    expectTypeOf(await (await library.add('https://courier.example')).done()).toHaveProperty('state');
  };
  expect(use).toBeTypeOf('function');
});
