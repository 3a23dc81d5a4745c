// What a user may say about a query parameter: `page=keep`, `sort=drop`, `view=skip`.

/** `drop` takes the parameter away and keeps the page; `skip` refuses the URL. */
export type ParameterRule = 'keep' | 'drop' | 'skip';

/** A name, a prefix that ends in `*`, or `*` alone for every parameter that no list names. */
export const QUERY_RULE = /^(?<name>[^=&#\s]{1,100})=(?<rule>keep|drop|skip)$/;
