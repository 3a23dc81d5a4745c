// What doctor found, one part a line, what is wrong with what to do about it.

import type { Finding } from '../../../platform/check-machine.ts';
import { paint, type Colour } from './paint.ts';

const MARKS: Readonly<Record<Finding['state'], readonly [string, Colour]>> = {
  well: ['ok', 'green'],
  absent: ['--', 'yellow'],
  wrong: ['!!', 'red'],
};

export function renderFindings(findings: readonly Finding[], colours: boolean): string {
  const width = Math.max(...findings.map(({ part }) => part.length));
  const lines = findings.map(({ part, state, says, next }) => {
    const [mark, colour] = MARKS[state];
    const advice = next === null ? '' : `\n   ${' '.repeat(width)}  ${next}`;
    return `${paint(mark, colour, colours)} ${part.padEnd(width)}  ${says}${advice}`;
  });
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  const verdict =
    wrong === 0
      ? 'All that is needed is there.'
      : `${wrong === 1 ? 'One part is' : `${wrong} parts are`} missing or wrong.`;
  return `${lines.join('\n')}\n${verdict}\n`;
}
