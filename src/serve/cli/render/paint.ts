// Colours on a terminal, plain text elsewhere.

const CODES = { red: 31, green: 32, yellow: 33, blue: 34, bold: 1, dim: 2 } as const;

export type Colour = keyof typeof CODES;

export function paint(text: string, colour: Colour, colours: boolean): string {
  return colours ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}
