// The HTML rules for tags, as far as the parser needs them.

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const VOID_TAGS = words('area base basefont br col embed frame hr img input link meta param source track wbr');

/** Their content is not visible text. */
export const NON_TEXT_TAGS = words(
  'script style template title head textarea select option datalist iframe object embed audio video canvas noscript noembed noframes svg frameset map portal meter progress',
);

export const BLOCK_TAGS = words(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp caption',
);

export const HEADING_TAGS = words('h1 h2 h3 h4 h5 h6');

/** Opening one of these closes an open paragraph. */
export const CLOSES_PARAGRAPH = words(
  'address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
);

/** The search for an element to close stops at these. */
export const SCOPE_TAGS = words('html body table td th caption template object marquee svg math');

/** In addition to the scope tags: an item or term never closes one outside these. */
export const LIST_SCOPE_TAGS = words('ul ol dl menu dir div section article details blockquote');

/** An opening tag and the open elements that it closes, up to the nearest table. */
export const CLOSES_IN_TABLE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['tr', words('tr td th caption colgroup')],
  ['td', words('td th')],
  ['th', words('td th')],
  ['thead', words('thead tbody tfoot tr td th caption colgroup')],
  ['tbody', words('thead tbody tfoot tr td th caption colgroup')],
  ['tfoot', words('thead tbody tfoot tr td th caption colgroup')],
  ['caption', words('caption colgroup')],
]);

/** Elements that the page metadata is read from. */
export const METADATA_TAGS = words('meta link base title html input noscript');

/** The only attributes that are kept. All others, event handlers in particular, are dropped while parsing. */
export const ATTRIBUTE_NAMES: readonly string[] =
  'alt aria-controls aria-expanded aria-hidden aria-label aria-labelledby checked class colspan content data-code-lang data-label data-lang data-language data-line-number display encoding hidden href hreflang http-equiv id itemprop lang name open property rel role rowspan src start style type'.split(
    ' ',
  );
