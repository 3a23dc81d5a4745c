// The order of texts by UTF-16 code units: `localeCompare` differs between machines.

export function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
