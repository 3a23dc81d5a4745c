// Where the content of a page is, for each family of generators. Written from the pages, independently of src.
//
// roots     the content: every match of the first selector that matches
// drop      never content: navigation, pagers, anchors of headings, gutters, buttons, edit links, footers, hidden text
// optional  an extractor may keep or drop it: local tables of contents, lists of inherited members, links to source
// toggles   parts of code that the page can show or hide: a block matches with and without them
// language  patterns for the language of a block, matched on the block and its nearest wrappers

type Split = 'tuned' | 'unseen';

export interface Family {
  readonly name: string;
  readonly split: Split;
  readonly roots: readonly string[];
  readonly drop: readonly string[];
  readonly optional: readonly string[];
  readonly toggles?: readonly string[];
  /** Code blocks that are not `pre`, and the elements of their lines. */
  readonly lines?: { readonly block: string; readonly line: string };
  readonly language: readonly RegExp[];
}

const FENCE_CLASS = [/(?:^|\s)(?:language|lang)-([^\s]+)/];

export const EVERYWHERE = {
  drop: [
    'script, style, template, noscript, select, textarea, button, input, iframe, object, applet',
    '[hidden]:not([role=tabpanel])',
    'a.headerlink, a.anchor:empty, a.anchorjs-link',
    '[role=navigation], [role=search], [role=banner], [role=contentinfo]',
  ],
  optional: ['svg', 'math', '[aria-hidden=true]', '.sr-only, .visually-hidden'],
} as const;

export const families: readonly Family[] = [
  {
    name: 'sphinx',
    split: 'tuned',
    roots: ['#docs-body', '#yui-main .yui-g', '[role=main]'],
    drop: [
      '.linenos, td.linenos, span.linenos',
      '.prev-next-area, .prev-next-bottom, .rst-footer-buttons, .clearer, .docs-navigation-links, .related, .sphinxsidebar',
      '.copybtn',
    ],
    optional: [
      '.toctree-wrapper, nav.contents, div.contents, .topic.contents, .deck, .sphinx-tabs-tab',
      'a:has(> .viewcode-link), a.viewcode-link, .viewcode-back',
    ],
    toggles: ['.popup_sql', 'a.sql_link'],
    language: [/(?:^|\s)highlight-([^\s]+)/],
  },
  {
    name: 'marked',
    split: 'tuned',
    roots: ['main article'],
    drop: [],
    optional: [],
    language: FENCE_CLASS,
  },
  {
    name: 'asciidoc',
    split: 'tuned',
    roots: ['body > #header, body > #content, body > #footnotes'],
    drop: ['#footer'],
    optional: ['#toc', '#author, #email, #revnumber, #revdate, .subtitle'],
    language: FENCE_CLASS,
  },
  {
    name: 'mdbook',
    split: 'tuned',
    roots: ['#content main'],
    drop: ['.nav-wrapper, .nav-wide-wrapper, .buttons'],
    optional: [],
    toggles: ['.boring'],
    language: FENCE_CLASS,
  },
  {
    name: 'node',
    split: 'tuned',
    roots: ['#apicontent'],
    drop: ['a.mark', 'a.legacy'],
    optional: ['.srclink', '#toc'],
    language: FENCE_CLASS,
  },
  {
    name: 'sqlite',
    split: 'tuned',
    roots: ['body'],
    drop: ['body > .nosearch:has(.menu)'],
    optional: ['.fancy_toc', 'body > p:last-of-type small, p[align=center] small', '.imgcontainer', 'a[id^=tagline]'],
    language: [],
  },
  {
    name: 'apache',
    split: 'tuned',
    roots: ['#page-content'],
    drop: ['.toplang, .bottomlang, .up, .top, .lang-toggle, #comments_section', 'a.permalink', '#path, #page-header'],
    optional: ['#quickview', '.outofdate'],
    language: FENCE_CLASS,
  },
  {
    name: 'tomcat',
    split: 'tuned',
    roots: ['#mainRight #content', '#content'],
    drop: ['#comments_thread', 'nav'],
    optional: ['h3#Table_of_Contents', 'h3#Table_of_Contents + div.text'],
    language: FENCE_CLASS,
  },
  {
    name: 'rustdoc',
    split: 'unseen',
    roots: ['#main-content', 'section.content', 'body'],
    drop: [
      '.anchor',
      'a.test-arrow',
      '#copy-path',
      '.line-numbers',
      '.notable-traits',
      '.sidebar, nav',
      '.information',
    ],
    optional: [
      'summary.hideme',
      '.out-of-band, .rightside, .srclink, .since, .src-button',
      '#synthetic-implementations, #synthetic-implementations-list, #blanket-implementations, #blanket-implementations-list',
      '#TOC',
    ],
    language: [/(?:^|\s)language-([^\s]+)/, /(?:^|\s)(rust)(?:\s|$)/],
  },
  {
    name: 'javadoc',
    split: 'unseen',
    roots: ['main', 'body'],
    drop: [
      '.topNav, .bottomNav, .subNav, .sub-nav, .skipNav, .skip-nav, .legalCopy, .legal-copy',
      'nav, header[role=banner], footer',
    ],
    optional: [
      '.inherited-list',
      'h3[id^=methods-inherited], h3[id^=fields-inherited], h3[id^=nested-classes-inherited]',
      'caption, .caption',
      'ul.blockList > li.blockList:has(> a[id*=inherited])',
    ],
    language: FENCE_CLASS,
  },
  {
    name: 'doxygen',
    split: 'unseen',
    roots: ['#doc-content > .header .title, #doc-content > .contents, .header .headertitle .title, body > .contents'],
    drop: ['.permalink', '.ttc', 'span.lineno', 'a.anchor', '.navpath, .dynsection'],
    optional: [
      '.ingroups',
      '.summary',
      '.inherit, .inherit_header',
      '.dynheader, .dyncontent',
      '.toc',
      '.mlabels',
      '.levels',
    ],
    lines: { block: 'div.fragment', line: 'div.line' },
    language: FENCE_CLASS,
  },
  {
    name: 'mediawiki',
    split: 'unseen',
    roots: ['#firstHeading, #mw-content-text'],
    drop: [
      '.t-navbar',
      '.editsection, .mw-editsection',
      '.t-example-live-link, .coliru-btn',
      '.printfooter, #catlinks',
      '[style*="display:none"], [style*="display: none"]',
    ],
    optional: ['#toc, .toc', '.noprint'],
    language: [/(?:^|\s)source-([^\s]+)/],
  },
  {
    name: 'qdoc',
    split: 'unseen',
    roots: ['.mainContent'],
    drop: ['.navigationbar', '.naviNextPrevious', '.footer'],
    optional: ['.sidebar', '.toc'],
    language: [/^(?!.*\bplain\b)(?:.*\s)?(cpp|qml|js|javascript|css|xml|python)(?:\s|$)/],
  },
  {
    name: 'gtk-doc',
    split: 'unseen',
    roots: ['body'],
    drop: ['table.navigation', 'body > .footer', '.listing_lines', '.gallery-float'],
    optional: ['.toc', '.shortcuts'],
    language: [/(?:^|\s)language-([^\s]+)/],
  },
  {
    name: 'docbook',
    split: 'unseen',
    roots: ['body'],
    drop: ['.navheader, .navfooter', 'a.indexterm', 'body > a.ulink'],
    optional: ['.toc', '.list-of-tables, .list-of-figures, .list-of-examples'],
    language: FENCE_CLASS,
  },
  {
    name: 'boostbook',
    split: 'unseen',
    roots: ['body'],
    drop: ['body > table', '.spirit-nav', 'body > p:has(> small)', '.copyright-footer'],
    optional: ['.toc', '.legalnotice, .copyright, .authorgroup'],
    language: FENCE_CLASS,
  },
  {
    name: 'erlang-docgen',
    split: 'unseen',
    roots: ['#content'],
    drop: ['.title-anchors', '.ghlink-after, .ghlink-before', '.footer'],
    optional: ['.copyright', '.since'],
    language: [/(?:^|\s)example-([^\s]+)/],
  },
  {
    name: 'haproxy-dconv',
    split: 'unseen',
    roots: ['#page-wrapper .col-lg-12'],
    drop: ['.pagination, .keyboardnavigation', 'footer, .footer'],
    optional: ['.page-header:has(#chapter-summary)', '.page-header:has(#chapter-summary) + .row'],
    toggles: ['.dropdown-menu'],
    language: FENCE_CLASS,
  },
  {
    name: 'hand-written',
    split: 'unseen',
    roots: ['body'],
    drop: [],
    optional: [],
    language: FENCE_CLASS,
  },
];
