// A passage as blocks that may be left out one by one: paragraphs, lists, tables, and code, which is never cut inside
// unless it alone is too long.

export interface PassageBlock {
  readonly text: string;
  readonly isCode: boolean;
}

/** Blocks are separated by blank lines; a fence with all that is in it is one block. */
export function passageBlocks(text: string): PassageBlock[] {
  const blocks: PassageBlock[] = [];
  let lines: string[] = [];
  let fence = '';
  const close = (isCode: boolean): void => {
    if (lines.some((line) => line.trim() !== '')) blocks.push({ text: lines.join('\n').replace(/^\n+/, ''), isCode });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '' && mark !== '') {
      close(false);
      fence = mark;
      lines.push(line);
    } else if (fence !== '') {
      lines.push(line);
      if (mark.startsWith(fence) && line.trim() === mark) {
        fence = '';
        close(true);
      }
    } else if (line.trim() === '') close(false);
    else lines.push(line);
  }
  close(fence !== '');
  return blocks;
}

/** At most so many characters of a block: whole lines from its start, and a fence is closed again. */
export function cutBlock({ text, isCode }: PassageBlock, chars: number): string {
  if (text.length <= chars) return text;
  const lines = text.split('\n');
  const fence = isCode ? (/^ {0,3}(`{3,}|~{3,})/.exec(lines[0] ?? '')?.[1] ?? '') : '';
  const room = chars - (fence === '' ? 2 : fence.length + 3);
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    if (length + line.length + 1 > room) break;
    kept.push(line);
    length += line.length + 1;
  }
  if (kept.length === 0) return isCode ? '' : `${text.slice(0, Math.max(0, room)).trimEnd()} …`;
  return [...kept, '…', ...(fence === '' ? [] : [fence])].join('\n');
}
