// Colors on a terminal, plain text elsewhere.

const CODES = { red: 31, green: 32, yellow: 33, blue: 34, bold: 1, dim: 2 } as const;

export type Color = keyof typeof CODES;

export function paint(text: string, color: Color, enabled: boolean): string {
  return enabled ? `\u001b[${CODES[color]}m${text}\u001b[0m` : text;
}
