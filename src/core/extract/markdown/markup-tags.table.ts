// How HTML and JSX elements in Markdown are handled.

/** Kept, without attributes: Markdown has no syntax for their meaning. */
export const retainedElements: ReadonlySet<string> = new Set(
  (
    'br hr sub sup kbd b strong i em u s del ins mark code pre samp var q abbr dfn table thead tbody tfoot tr th td ' +
    'caption ul ol li dl dt dd blockquote ruby rt rp'
  ).split(' '),
);

/** Attributes that kept elements keep. */
export const retainedAttributes: ReadonlySet<string> = new Set(['colspan', 'rowspan', 'start']);

/** Dropped with their content: none of it is text for a reader. */
export const droppedElements: ReadonlySet<string> = new Set(
  'script style iframe object embed noscript template svg math canvas audio video select textarea'.split(' '),
);

/** Dropped, but their text is kept. Other lower-case names are placeholders such as `<token>` and stay as written. */
export const unwrappedElements: ReadonlySet<string> = new Set(
  (
    'a address article aside bdi bdo big body button center cite data details dialog div fieldset figcaption figure ' +
    'font footer form h1 h2 h3 h4 h5 h6 head header hgroup html img input label legend link main map area meta nav ' +
    'output p param picture progress section small source span strike summary time title track tt wbr slot'
  ).split(' '),
);

/** Component names that mean an admonition. */
export const admonitions: ReadonlySet<string> = new Set([
  'Admonition',
  'Alert',
  'Aside',
  'Callout',
  'Caution',
  'Danger',
  'Error',
  'Important',
  'Info',
  'Note',
  'Tip',
  'Warning',
]);

/** Attributes of a component that are shown as its heading, best first. */
export const labelAttributes: readonly string[] = ['title', 'label', 'heading', 'header', 'name', 'path', 'value'];

/** Icon components that are used in feature tables. */
export const glyphs: ReadonlyMap<string, string> = new Map([
  ['Check', '✓'],
  ['CheckIcon', '✓'],
  ['Yes', '✓'],
  ['Cross', '✗'],
  ['CrossIcon', '✗'],
  ['XIcon', '✗'],
  ['No', '✗'],
]);
