// Whether the reader of the page sees an element. Panels of tabs count as seen: a click shows them.

import type { ElementNode } from './parse/html-node.ts';
import { flag } from './parse/node-flags.ts';

export function isHidden(node: ElementNode, bits: number): boolean {
  const { attributes } = node;
  if (isPanel(node, bits)) return false;
  const hidden = attributes['hidden'];
  if (hidden !== undefined && hidden !== 'until-found' && hidden !== 'false') return true;
  if (attributes['aria-hidden'] === 'true') return true;
  const style = attributes['style'];
  if (style !== undefined && hidesByStyle(style)) return true;
  return node.tag === 'dialog' && attributes['open'] === undefined;
}

function isPanel(node: ElementNode, bits: number): boolean {
  return (bits & flag.tabPanel) !== 0 || node.attributes['role'] === 'tabpanel';
}

const MAX_STYLE_LENGTH = 2_000;
const HIDING: ReadonlySet<string> = new Set([
  'display:none',
  'visibility:hidden',
  'visibility:collapse',
  'font-size:0',
  'font-size:0px',
  'opacity:0',
  'clip:rect(0,0,0,0)',
  'clip:rect(0 0 0 0)',
  'clip-path:inset(100%)',
]);

function hidesByStyle(style: string): boolean {
  for (const part of style.slice(0, MAX_STYLE_LENGTH).toLowerCase().split(';')) {
    const rule = part.replace('!important', '').split(':');
    const [name, value] = [rule[0]?.trim() ?? '', rule[1]?.trim() ?? ''];
    if (HIDING.has(`${name}:${value}`) || isFarAway(name, value)) return true;
  }
  return false;
}

/** `left:-9999px` moves a text out of sight. */
function isFarAway(name: string, value: string): boolean {
  if (name !== 'left' && name !== 'top' && name !== 'right' && name !== 'text-indent' && name !== 'margin-left') {
    return false;
  }
  return value.startsWith('-') && Number.parseFloat(value) <= -999;
}
