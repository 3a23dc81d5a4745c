// HTML as lines of light Markdown, each with its line in the source. It reads tokens, never builds a tree: a page of
// a million nested elements costs no more than its length.

import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { createHtmlWriter, type HtmlLines, type HtmlWriter } from './html/html-writer.ts';

const DROPPED = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head', 'iframe', 'object']);

export function htmlLines(html: string): HtmlLines {
  const writer = createHtmlWriter(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, tokenReader(html, writer));
  tokenizer.write(html);
  tokenizer.end();
  return writer.finish();
}

function nothing(): void {}

function tokenReader(html: string, writer: HtmlWriter): TokenizerCallbacks {
  let name = '';
  let id: string | null = null;
  let attribute = '';
  /** The dropped element that is open, and how many of its kind. */
  let dropped = '';
  let depth = 0;
  const opened = (): void => {
    if (dropped === '' && DROPPED.has(name)) dropped = name;
    if (dropped === name && name !== '') depth += 1;
    if (dropped === '') writer.open(name, id);
  };
  return {
    onattribname: (start, end) => (attribute = html.slice(start, end).toLowerCase()),
    onattribdata: (start, end) => {
      if (attribute === 'id') id = (id ?? '') + html.slice(start, end);
    },
    onattribentity: nothing,
    onattribend: nothing,
    oncdata: nothing,
    oncomment: nothing,
    ondeclaration: nothing,
    onprocessinginstruction: nothing,
    onend: nothing,
    onopentagname: (start, end) => {
      name = html.slice(start, end).toLowerCase();
      id = null;
    },
    onopentagend: opened,
    onselfclosingtag: opened,
    onclosetag: (start, end) => {
      const closing = html.slice(start, end).toLowerCase();
      if (dropped === '') writer.close(closing);
      else if (closing === dropped) depth -= 1;
      if (depth === 0) dropped = '';
    },
    ontext: (start, end) => {
      if (dropped === '') writer.write(html.slice(start, end), start);
    },
    ontextentity: (codepoint, end) => {
      if (dropped === '') writer.write(String.fromCodePoint(codepoint), end);
    },
  };
}
