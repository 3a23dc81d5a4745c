// An installed package as a local source: its documentation as it is, and pages made from its declarations.

import { parseJson } from '../../core/text/parse-json.ts';
import { isRecord } from '../../core/extract/data/json-fields.ts';
import { decodeBody } from '../../core/extract/decode/charset.ts';
import { fileUrl, pathOfFileUrl } from '../../core/files/file-url.ts';
import { sha256Hex } from '../../core/model/hash.ts';
import { isReaderInput } from '../../core/packages/package-content.ts';
import type { PackageManifest } from '../../core/packages/package-folder.ts';
import type { PackageRun } from '../../core/project/package-run.ts';
import type { ListedFile, LocalFiles, LocalSource, PackageFiles } from '../../fetch/port.ts';
import type { Parser } from '../../parse/port.ts';

/** More than the declarations of any of the packages that projects use most. */
const MAX_TEXT_BYTES = 40 * 1024 * 1024;
const MAX_TEXTS = 20_000;

interface PackageDeps {
  readonly local: Pick<LocalFiles, 'openPackage'>;
  readonly parser: Pick<Parser, 'readPackage'>;
}

/** Rejects if the folder is gone, or if its declarations cannot be read. */
export async function openPackageSource(
  run: Omit<PackageRun, 'content'>,
  { local, parser }: PackageDeps,
): Promise<LocalSource> {
  const contents = await local.openPackage(run);
  const { files } = contents;
  const manifest = await readManifest(run, contents);
  const texts = await readTexts(contents, run.ecosystem);
  const documentation = await parser.readPackage({ manifest, files, texts });
  const pages = new Map(documentation.pages.map((page) => [page.path, page]));
  const own = [...documentation.files, ...(run.includeSources ? documentation.sources : [])].map(({ path }) => path);
  const paths = new Set([...own, ...pages.keys()]);
  return {
    declaredVersion: run.version,
    packageName: run.name,
    async *list(): AsyncGenerator<ListedFile> {
      for (const path of paths) yield { kind: 'file', url: fileUrl(path) };
      for (const message of notesOf(contents, documentation.notes))
        yield { kind: 'warning', about: 'package-incomplete', target: run.name, message };
    },
    async read(url) {
      const path = pathOfFileUrl(url);
      const page = path === null ? undefined : pages.get(path);
      if (path === null || !paths.has(path)) return { kind: 'not-found', reason: 'no-such-file' };
      if (page === undefined) return contents.read(path);
      const body = new TextEncoder().encode(page.text);
      return { kind: 'read', body, hash: sha256Hex(body), mediaType: page.mediaType };
    },
  };
}

function* notesOf({ isTruncated, files }: PackageFiles, notes: readonly string[]): Generator<string> {
  yield* notes;
  if (isTruncated) yield `only the first ${files.length} files are read`;
}

async function readManifest(
  { ecosystem, name, version }: Pick<PackageRun, 'ecosystem' | 'name' | 'version'>,
  contents: PackageFiles,
): Promise<PackageManifest> {
  const fields = ecosystem === 'npm' ? parseJson((await readText(contents, 'package.json')) ?? '') : {};
  return { ecosystem, name, version, fields: isRecord(fields) ? fields : {} };
}

async function readTexts(
  contents: PackageFiles,
  ecosystem: PackageRun['ecosystem'],
): Promise<ReadonlyArray<readonly [string, string]>> {
  const texts: Array<readonly [string, string]> = [];
  let bytes = 0;
  for (const { path, size } of contents.files.filter((file) => isReaderInput(ecosystem, file.path))) {
    if (bytes + size > MAX_TEXT_BYTES || texts.length === MAX_TEXTS) continue;
    const text = await readText(contents, path);
    if (text === null) continue;
    texts.push([path, text]);
    bytes += text.length;
  }
  return texts;
}

async function readText(contents: PackageFiles, path: string): Promise<string | null> {
  const outcome = await contents.read(path);
  return outcome.kind === 'read' ? decodeBody(outcome.body, null) : null;
}
