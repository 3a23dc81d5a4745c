// How a reference page is put together.

export function page(title: string, about: string, ...parts: readonly string[]): string {
  return [`# ${title}`, '<!-- Written by `npm run docs`. Do not edit. -->', about, ...parts].join('\n\n') + '\n';
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function inCode(text: string): string {
  return `\`${text}\``;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}
