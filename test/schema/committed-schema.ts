// The committed schemas, which `npm run schema` writes from the migrations.

import { readFileSync, writeFileSync } from 'node:fs';

export type EngineName = 'sqlite' | 'postgres';

function fileOf(engine: EngineName): URL {
  return new URL(`./${engine}.schema.sql`, import.meta.url);
}

export function committedSchema(engine: EngineName): string {
  return readFileSync(fileOf(engine), 'utf8');
}

export function commitSchema(engine: EngineName, schema: string): void {
  writeFileSync(fileOf(engine), schema);
}
