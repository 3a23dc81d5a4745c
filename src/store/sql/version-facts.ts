// What is known of a version as a whole.

import type { PageUrl } from '../../core/model/page-url.ts';
import type { Sources, StoredBody } from '../port.ts';
import { jsonObject, jsonText } from './engine/codec.ts';
import type { Engine } from './engine/engine.ts';

const readFacts = `select facts from versions where id = $1`;
const keepFacts = `update versions set facts = $2 where id = $1`;
const readFile = `select url, encoding, bytes from discovery_files where version_id = $1 and name = $2`;
const keepFile = `insert into discovery_files (version_id, name, url, encoding, bytes, kept_at) values ($1, $2, $3, $4, $5, now_ms())
  on conflict (version_id, name) do update set url = excluded.url, encoding = excluded.encoding, bytes = excluded.bytes, kept_at = excluded.kept_at`;

interface FileRow {
  readonly url: PageUrl;
  readonly encoding: StoredBody['encoding'];
  readonly bytes: Uint8Array;
}

export function createVersionFacts(engine: Engine): Pick<Sources, 'facts' | 'keepFacts' | 'file' | 'keepFile'> {
  return {
    async facts(version) {
      const [row] = await engine.reader.all<{ facts: string }>(readFacts, [version]);
      return row === undefined ? {} : jsonObject(row.facts);
    },
    async keepFacts(version, facts) {
      await engine.transaction((tx) => tx.all(keepFacts, [version, jsonText(facts)]));
    },
    async file(version, name) {
      const [row] = await engine.reader.all<FileRow>(readFile, [version, name]);
      return row === undefined ? null : { url: row.url, body: { encoding: row.encoding, bytes: row.bytes } };
    },
    async keepFile(version, name, { url, body }) {
      await engine.transaction((tx) => tx.all(keepFile, [version, name, url, body.encoding, body.bytes]));
    },
  };
}
