// A short name for local content that was added without one, from the name of its folder or file.

const LONGEST = 60;

export function localSourceName(fileName: string): string {
  const name = fileName
    .replace(/\.(?:zip|tar|tar\.gz|tgz)$/i, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, LONGEST);
  return name === '' ? 'folder' : name;
}

/** Whether a start is meant as a path. A scheme of one letter is a drive. */
export function isLocalStart(start: string): boolean {
  return !/^[a-z][a-z\d+.-]+:/i.test(start);
}
