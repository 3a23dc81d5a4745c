// Files under 40 lines with one importer whose idea deserves its own name, and why. At most 25; scripts/check-file-sizes.ts counts.

const LAZY = 'what is known of a format before its code is loaded';
const LOADED = 'where the code of a format begins, which is loaded with its first file';

export const smallFiles: ReadonlyMap<string, string> = new Map([
  [
    'src/core/discover/markdown/alternate-link.ts',
    'one of the places where Markdown of a page may be, next to the others',
  ],
  ['src/formats/epub/format.ts', LAZY],
  ['src/formats/asciidoc/format.ts', LAZY],
  ['src/formats/man/format.ts', LAZY],
  ['src/formats/rst/format.ts', LAZY],
  ['src/formats/office/format.ts', LAZY],
  ['src/formats/pdf/format.ts', LAZY],
  ['src/formats/man/man.ts', LOADED],
  ['src/formats/rst/rst.ts', LOADED],
  ['src/formats/server-formats.ts', 'PDF is too large for browser mode, which reads the other formats'],
  ['src/core/extract/text/code-file.ts', 'one file per extractor'],
  ['src/core/extract/text/image.ts', 'one file per extractor'],
  ['src/core/outcome/removal-verdict.ts', 'the mass-deletion guard: a policy that is tested and cited on its own'],
  ['src/core/ssrf/allow-hint.ts', 'a decision about addresses, which belongs to core; crawl reports it'],
  ['src/compose/sinks.ts', 'the entry pinakes/sinks: only compose picks adapters'],
  ['src/index/segments/segment-index.ts', 'an adapter of the index stage; only compose picks adapters'],
  [
    'src/serve/source-usage.ts',
    'what is counted about users, and that it stays in memory: a promise worth its own file',
  ],
  [
    'src/serve/cli/write-agents-md.ts',
    'a file of the user is changed: tested on its own, loaded only for this command',
  ],
  ['src/serve/cli/follow-changes.ts', 'a loop without end, loaded only for this command'],
  ['src/core/export/manifest/bundled-outline.ts', 'rows of untrusted input: a format that is tested on its own'],
  ['src/core/rank/title-fit.ts', 'a signal of the ranking, for packages alone, next to name-fit and tested like it'],
  ['src/start.ts', 'V8 flags that must be set before any other module is loaded'],
]);
