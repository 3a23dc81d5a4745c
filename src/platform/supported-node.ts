// The oldest supported Node. This file must parse on Node 14, to report it there.

export const MIN_NODE: readonly [major: number, minor: number] = [22, 19];

/** The sentence for a version that is too old; null if it is supported. */
export function unsupportedNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isSupported = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return isSupported ? null : `Pinakes needs Node ${MIN_NODE.join('.')} or newer; this is Node ${version}.`;
}
