// The symbol that a heading defines: a class of javadoc, a method of rustdoc, a function of Doxygen, a directive of Apache, or a
// name that is marked as code. Any other heading defines none.

import { classWords, find, type ElementNode } from '../parse/html-node.ts';
import { elementText } from './element-text.ts';
import { plainName } from './term-names.ts';

export interface HeadingSymbol {
  readonly symbol: string;
  /** Whether the symbol names the section better than the heading, which may be a whole signature. */
  readonly isMember: boolean;
}

/** `owner` is the definition that contains the heading: on most such pages the class that the title defines. */
export function headingSymbol(node: ElementNode, owner: string | null): HeadingSymbol | null {
  const heading: Heading = { node, owner, words: classWords(node), text: elementText(node) };
  const title = firstSymbol(TITLES, heading);
  if (title !== null) return { symbol: title, isMember: false };
  const member = firstSymbol(MEMBERS, heading);
  if (member !== null) return { symbol: member, isMember: true };
  const code = codeName(heading);
  return code === null ? null : { symbol: code, isMember: false };
}

function firstSymbol(readers: readonly ReadSymbol[], heading: Heading): string | null {
  for (const read of readers) {
    const symbol = read(heading);
    if (symbol !== null) return symbol;
  }
  return null;
}

interface Heading {
  readonly node: ElementNode;
  readonly owner: string | null;
  readonly words: readonly string[];
  readonly text: string;
}

type ReadSymbol = (heading: Heading) => string | null;

const NAME = /^[\w$.]+$/;

function parentHas({ node }: Heading, word: string): boolean {
  return node.parent !== null && classWords(node.parent).includes(word);
}

/** `Struct std::vec::Vec`; newer versions write the path into a box above. */
const rustdocItem: ReadSymbol = (heading) => {
  const { node, words, text } = heading;
  if (node.tag !== 'h1' || !(words.includes('fqn') || parentHas(heading, 'main-heading'))) return null;
  const [, name] = /^[A-Z][a-z]+(?: [A-Z][a-z]+)? ((?:\w+::)*\w+)/.exec(text) ?? [];
  const box = node.parent && find(node.parent, (child) => classWords(child).includes('rustdoc-breadcrumbs'));
  const path = box === null ? '' : elementText(box);
  return name === undefined || path === '' ? (name ?? null) : `${path}::${name}`;
};

const JAVA_TYPE =
  /^(?:Class|Interface|Enum|Enum Class|Record|Record Class|Annotation Type|Annotation Interface) ([\w.$]+)/;

/** `Class HashMap<K,V>` below the name of its package */
const javadocType: ReadSymbol = ({ node, words, text }) => {
  const [, name] = (words.includes('title') && JAVA_TYPE.exec(text)) || [];
  if (name === undefined || node.parent === null) return null;
  const box = find(node.parent, (child) => classWords(child).some((word) => PACKAGE_BOX.has(word)) && isPackage(child));
  const packageName = box === null ? '' : (elementText(box).split(/\s/).at(-1) ?? '');
  return packageName === '' ? name : `${packageName}.${name}`;
};

const PACKAGE_BOX = new Set(['sub-title', 'subTitle']);

/** The box of the module is the same, apart from its label. */
function isPackage(box: ElementNode): boolean {
  return /^(?:Package\s)?[\w.]+$/.test(elementText(box));
}

const DOXYGEN_TITLE =
  /^([\w:]+)\s*(?:<.*>)?\s(?:Class|Struct|Union|Namespace|Interface|Protocol)(?: Template)? Reference$/;

/** `Eigen::PartialPivLU< _MatrixType > Class Template Reference` */
const doxygenCompound: ReadSymbol = ({ words, text }) =>
  (words.includes('title') && DOXYGEN_TITLE.exec(text)?.[1]) || null;

/** `Class: Agent` */
const jsdocClass: ReadSymbol = ({ words, text }) =>
  (words.includes('page-title') && /^(?:Class|Module|Namespace|Mixin|Interface): ([\w$./-]+)$/.exec(text)?.[1]) || null;

const TITLES: readonly ReadSymbol[] = [rustdocItem, javadocType, doxygenCompound, jsdocClass];

const RUST_MEMBER = /^(?:method|tymethod|variant|associatedconstant|associatedtype)\.(\w+?)(?:-\d+)?$/;

/** `<section id="method.push"><h4 class="code-header">`; a variant has the id itself. */
const rustdocMember: ReadSymbol = ({ node, owner, words }) => {
  if (owner === null || !(words.includes('code-header') || words.includes('variant'))) return null;
  const name = RUST_MEMBER.exec(node.attributes['id'] ?? node.parent?.attributes['id'] ?? '')?.[1];
  return name === undefined || isOfOtherTrait(node) ? null : `${owner}::${name}`;
};

const OTHER_TRAITS = /^(?:trait|synthetic|blanket)-implementations-list$/;
const MAX_STEPS_UP = 10;

/** The methods of implemented traits are listed again on the page of every type. */
function isOfOtherTrait(node: ElementNode): boolean {
  let at = node.parent;
  for (let step = 0; at !== null && step < MAX_STEPS_UP; step += 1, at = at.parent)
    if (OTHER_TRAITS.test(at.attributes['id'] ?? '')) return true;
  return false;
}

/** `<section class="detail" id="merge(K,V)"><h3>merge</h3>`; a list item in older versions. */
const javadocMember: ReadSymbol = (heading) => {
  const { node, owner, text } = heading;
  const isDetail = parentHas(heading, 'detail') || (node.tag === 'h4' && parentHas(heading, 'blockList'));
  return owner !== null && isDetail && NAME.test(text) ? `${owner}#${text}` : null;
};

/** `PartialPivLU() [1/4]` */
const doxygenMember: ReadSymbol = ({ owner, words, text }) => {
  if (!words.includes('memtitle')) return null;
  const name = text.startsWith('operator') ? (text.split('()', 1)[0] ?? '') : plainName(text.replace(/^[^\w~]+/, ''));
  if (name === '') return null;
  return owner === null ? name : `${owner}::${name}`;
};

/** `<h2 id="package.module.name" class="doc doc-heading">` of mkdocstrings */
const mkdocstringsObject: ReadSymbol = ({ node, words }) => {
  const id = node.attributes['id'] ?? '';
  return words.includes('doc-heading') && NAME.test(id) ? id : null;
};

/** `<h4 class="name" id="destroy">`; the id of a static member begins with a dot. */
const jsdocMember: ReadSymbol = ({ node, owner, words }) => {
  const id = node.attributes['id'] ?? '';
  if (owner === null || !words.includes('name') || !NAME.test(id)) return null;
  return id.startsWith('.') ? `${owner}${id}` : `${owner}#${id}`;
};

/** `AcceptFilter Directive`, in any language */
const apacheDirective: ReadSymbol = (heading) => {
  if (!parentHas(heading, 'directive-section')) return null;
  const name = find(heading.node, ({ attributes }) => (attributes['id'] ?? attributes['name'] ?? '') !== '');
  return name === null ? null : plainName(elementText(name)) || null;
};

/** `g_hash_table_new ()` and `struct GHashTable` of gtk-doc */
const gtkDocSymbol: ReadSymbol = (heading) => {
  if (!parentHas(heading, 'refsect2')) return null;
  const name = plainName(heading.text.replace(/^(?:struct|enum|union|typedef) /, ''));
  return NAME.test(name) ? name : null;
};

/** `QString &QString::append(const QString &str)` of QDoc */
const qdocMember: ReadSymbol = ({ node, words, text }) => {
  if (!words.includes('fn')) return null;
  const name = find(node, (child) => classWords(child).includes('name'));
  if (name === null) return null;
  const own = elementText(name);
  const [scope = ''] = /(?:\w+::)+$/.exec(text.slice(0, Math.max(0, text.indexOf(`::${own}`) + 2))) ?? [];
  return `${scope}${own}`;
};

const MEMBERS: readonly ReadSymbol[] = [
  rustdocMember,
  javadocMember,
  doxygenMember,
  mkdocstringsObject,
  jsdocMember,
  apacheDirective,
  gtkDocSymbol,
  qdocMember,
];

/** `### <code>accept_content</code>`: a heading of nothing but one name */
const codeName: ReadSymbol = ({ node, text }) => {
  const code = node.tag === 'h1' ? null : find(node, ({ tag }) => tag === 'code');
  if (code === null || elementText(code) !== text) return null;
  const name = plainName(text);
  return CODE_NAME.test(name) ? name : null;
};

const CODE_NAME = /^[-@$.:\w/#]*\w$/;
