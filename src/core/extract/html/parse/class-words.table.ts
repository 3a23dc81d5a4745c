// Class and id words that generators and themes give to parts of a page, and the flags they imply. Words are compared in
// lower-case kebab form, without the hash that CSS modules append.

import { flag } from './node-flags.ts';

const LISTS: ReadonlyArray<readonly [bits: number, words: string]> = [
  [
    flag.namedChrome,
    `nav navbar nav-bar navigation navheader navfooter nav-links nav-menu nav-panel site-nav main-nav top-nav topnav bottom-nav
     bottomnav sub-nav subnav left-nav leftnav side-nav sidenav side-bar sphinxsidebar sphinxsidebarwrapper doc-sidebar
     docs-sidebar sidebar-nav sidebar-container breadcrumb breadcrumbs wy-breadcrumbs crumbs bread-crumbs breadcrumbs-container
     pagination pagination-nav pager prev-next prevnext prev-next-footer prev-next-area prev-next-bottom next-prev page-nav paginator
     pagination-links rst-footer-buttons doc-footer page-footer site-footer footer-container footer-wrapper md-footer
     vp-doc-footer edit-link editlink edit-this-page edit-page theme-edit-this-page edit-on-github edit-info
     page-edit last-updated theme-last-updated skip-link skiplink skip-to-content skip-nav skip-links skip-to-main
     searchbox search-box searchbar search-bar search-form searchform search-container search-wrapper searchmenu mw-search
     cookie-banner cookie-bar cookie-consent cookieconsent cookie-notice cookie-notification cookies-banner consent-banner
     cookie-popup gdpr gdpr-banner onetrust-banner-sdk onetrust-consent-sdk cc-window cc-banner
     advertisement ad-banner adsbygoogle newsletter newsletter-signup social-links social-share share-buttons
     was-this-helpful page-feedback feedback-widget theme-toggle theme-switcher theme-selector language-switcher
     lang-switcher version-switcher version-selector versions-menu announcement-bar announcement-banner
     mw-editsection mw-jump-link navbox catlinks printfooter mw-navigation mw-head mw-panel
     toc-backlink back-to-top backtotop site-header md-header md-sidebar vpsidebar vpnav vplocal-nav
     menu-title-bar mobile-nav-chapters nav-chapters nav-wide-wrapper nav-wrapper mdbook-help-container sticky-nav
     rst-versions rst-other-versions wy-nav-side wy-nav-top headerbar bd-header bd-sidebar-primary bd-sidebar-secondary bd-footer
     prev-next-info contributors page-meta-links tsd-navigation site-menu col-sidebar md-path md-content-button`,
  ],
  [
    flag.weakChrome,
    `menu mainmenu main-menu submenu sidebar footer noprint no-print search path banner header-links toplinks
     languages toplang bottomlang masthead topbar top-bar bottombar navlinks
     related-links see-also-nav page-tools toolbar share social feedback page-actions sub-nav-list tagline slogan site-description site-title`,
  ],
  [
    flag.tableOfContents,
    `toc table-of-contents tableofcontents on-this-page page-toc localtoc local-toc contents section-nav section-toc theme-doc-toc-desktop
     theme-doc-toc-mobile toc-wrapper toc-content toc-inline vp-doc-aside-outline vpdoc-aside md-sidebar--secondary
     right-sidebar-panel page-outline bd-toc quickview minitoc mini-toc`,
  ],
  [
    flag.codeChrome,
    `linenos lineno linenodiv line-number line-numbers-rows line-numbers-wrapper linenumber line-no gutter lnt ln lntd-gutter
     rouge-gutter blob-num hljs-ln-numbers hljs-ln-n line-numbers-gutter src-line-numbers listing-lines
     copy copybtn copy-btn copy-button copybutton copy-code copy-code-button copy-to-clipboard btn-clipboard clipboard-copy
     clipboard btn-copy code-copy codeblock-copy zeroclipboard-container button-group code-toolbar-item buttons
     twoslash-popup-container twoslash-popup-code code-block-button ec-line-gutter react-code-block-copy test-arrow`,
  ],
  [
    flag.permalink,
    `headerlink header-anchor anchor-link anchorlink hash-link permalink anchorjs-link heading-anchor heading-link-icon
     sl-anchor-link viewcode-link viewcode-back header-link toclink-icon docs-heading-anchor-permalink octicon-link doc-anchor`,
  ],
  [
    flag.admonition,
    `admonition admonitionblock theme-admonition custom-block callout notecard markdown-alert starlight-aside alert
     admonition-block docs-callout md-callout`,
  ],
  [
    flag.boxTitle,
    `admonition-title custom-block-title admonition-heading markdown-alert-title starlight-aside-title starlight-aside__title
     callout-title callout-heading alert-heading alert-title notecard-title admonition-label`,
  ],
  [
    flag.tabPanel,
    'tab-pane tab-panel tabpanel sphinx-tabs-panel sd-tab-content tabbed-block tabs-panel tab-content-item',
  ],
  [flag.tabLabel, 'sphinx-tabs-tab sd-tab-label tabs-tab tab-label'],
  [flag.codeGroup, 'vp-code-group code-group'],
  [flag.tabList, 'tablist tab-list tabbed-labels nav-tabs'],
  [
    flag.codeLine,
    'line token-line code-line ec-line view-line codeline hljs-ln-line react-code-line highlight-line code-block-line',
  ],
  [flag.codeLines, 'fragment'],
  [
    flag.contentRoot,
    `markdown-body theme-doc-markdown vp-doc sl-markdown-content content-default md-content body rst-content content main-content
     page-content article-content article-body post-content entry-content body-content mw-content-text mw-parser-output
     doc-content docs-content document-content documentation-content doc-body contents main docs-body prose bd-article
     main-page-content content-body apicontent page-body maincontent content-wrapper document-body`,
  ],
  [flag.signature, 'sig sig-object descname function class method attribute property exception data'],
  [flag.math, 'math katex mathjax mathjax-block mathjax-preview mathjax-svg arithmatex mwe-math-element'],
  [flag.mathDisplay, 'katex-display math-display mathjax-display'],
  [
    flag.hidden,
    `sr-only visually-hidden visuallyhidden screen-reader-text screenreader screen-reader-only sr-only-focusable
     u-visually-hidden show-for-sr a11y-hidden mjx-assistive-mml-copy katex-html mathjax-preview
     js-only-hidden offscreen tooltiptext tooltip-text tooltip-content tooltip-inner ttc`,
  ],
];

export const CLASS_WORDS: ReadonlyMap<string, number> = (() => {
  const map = new Map<string, number>();
  for (const [bits, text] of LISTS)
    for (const word of text.split(/\s+/)) if (word !== '') map.set(word, (map.get(word) ?? 0) | bits);
  return map;
})();

/** Ids are often generated from headings, so only these words count, and only for elements that are mostly links or nearly empty. */
export const ID_WORDS: ReadonlyMap<string, number> = new Map([
  ...'nav navbar navigation sidebar side-bar breadcrumb breadcrumbs footer page-footer site-footer page-header menu search searchbox search-box searchform path toolbar banner sphinxsidebar leftcolumn navcolumn toplinks nav-path side-nav nav-tree navrow1 navrow2 navrow3 navrow4 titlearea mw-navigation mw-head mw-panel catlinks jump-to-nav site-sub content-sub'
    .split(' ')
    .map((word): [string, number] => [word, flag.weakChrome]),
  ...'toc table-of-contents tableofcontents toc-container quickview localtoc on-this-page'
    .split(' ')
    .map((word): [string, number] => [word, flag.tableOfContents]),
  ...'content main-content maincontent page-content body-content mw-content-text main article doc-content docs-content apicontent documentation document content-body bodycontent'
    .split(' ')
    .map((word): [string, number] => [word, flag.contentRoot]),
  ...'cookie-banner cookie-consent onetrust-consent-sdk onetrust-banner-sdk cookieconsent gdpr-banner cookie-notice cookie-bar'
    .split(' ')
    .map((word): [string, number] => [word, flag.namedChrome]),
]);

/** Words that name a kind of admonition, alone or as the last part of another word, and its label. */
export const ADMONITION_LABELS: ReadonlyMap<string, string> = new Map([
  ['note', 'Note'],
  ['warning', 'Warning'],
  ['tip', 'Tip'],
  ['important', 'Important'],
  ['caution', 'Caution'],
  ['danger', 'Danger'],
  ['info', 'Info'],
  ['hint', 'Hint'],
  ['attention', 'Attention'],
  ['error', 'Error'],
  ['seealso', 'See also'],
  ['see-also', 'See also'],
  ['deprecated', 'Deprecated'],
  ['example', 'Example'],
  ['success', 'Success'],
  ['question', 'Question'],
  ['bug', 'Bug'],
  ['todo', 'Todo'],
  ['abstract', 'Abstract'],
  ['failure', 'Failure'],
  ['security', 'Security'],
  ['experimental', 'Experimental'],
  ['secondary', 'Note'],
  ['primary', 'Note'],
]);
