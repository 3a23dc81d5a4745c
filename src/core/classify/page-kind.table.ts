// Path segments and titles that indicate the kind of a page.

import type { PageKindName } from '../model/document.ts';

/** Source views are recognized by whole paths, in generated-pages.ts. */
export type ScoredKind = Exclude<PageKindName, 'source'>;

const segments: Readonly<Record<ScoredKind, string>> = {
  article:
    'guide guides tutorial tutorials howto how-to learn getting-started quickstart start intro introduction blog ' +
    'articles post posts news concepts concept explanation examples example cookbook recipes faq best-practices ' +
    'manual book topics userguide user-guide whatsnew releaselog migration architecture overview docs',
  reference:
    'api apis reference ref references api-reference apidoc apidocs javadoc javadocs library stdlib c-api c3ref ' +
    'man manpages man1 man3 man5 man8 cmd commands command cli rules config configuration options syntax functions ' +
    'classes methods components modules packages lang servletapi settings spec specification variable variables ' +
    'prop_tgt prop_dir prop_gbl prop_sf prop_test prop_inst prop_cache policy envvar module generator doxygen',
  hub: 'contents toc table-of-contents sitemap site-map categories category tags tag topics-index home',
  index:
    'genindex py-modindex modindex index-all allclasses allclasses-index allpackages-index alphabetical keyword-index ' +
    'doclist all search searchresults navtree annotated classes-index function-index symbol-index',
  other: 'license licence copyright legal about contact privacy terms credits bugs',
};

export const kindsBySegment: ReadonlyMap<string, ScoredKind> = new Map(
  Object.entries(segments).flatMap(([kind, words]) =>
    words.split(' ').map((word) => [word, kind as ScoredKind] as const),
  ),
);

/** Tested against the lower-case title and first heading. */
export const indexTitles: readonly RegExp[] = [
  /^(?:general |alphabetical |keyword |function |class |symbol |module |full )?index(?:$|\s*[-—–|:(])/,
  /^(?:python )?module index\b/,
  /^all (?:classes|packages|modules|functions|members|items)\b/,
  /^list of (?:all )?(?:functions|members|classes|constants|objects|documents|symbols)\b/,
  /^search(?: results)?(?:$|\s*[-—–|:])/,
];
