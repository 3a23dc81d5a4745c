// Writes the schemas that the migrations produce: npm run schema, with PINAKES_TEST_POSTGRES_URL set.

import { commitSchema } from './committed-schema.ts';
import { freshPostgres, freshSqlite } from './fresh-database.ts';

for (const fresh of [freshSqlite, freshPostgres]) {
  const database = await fresh();
  await database.migrate();
  commitSchema(database.place.engine, await database.schema());
  await database.remove();
}
