// Pauses in PostgreSQL: statements that write wait at random between their start and their first lock. A statement reads as of its start,
// so what others commit in the meantime is what it overlooks; on a quiet machine that takes microseconds and never happens.

export interface PauseOptions {
  /** How many of the statements pause, from 0 to 1. */
  readonly chance: number;
  readonly maxMs: number;
}

/** Statements that make every table pause; to be executed once, by the owner of the tables. */
export function pauseStatements({ chance, maxMs }: PauseOptions): string {
  return `create sequence pauses;
    create function pause() returns trigger language plpgsql as $$ begin
      if random() < ${chance} then perform nextval('pauses'); perform pg_sleep(random() * ${maxMs / 1000}); end if;
      return null;
    end $$;
    do $$ declare name text; begin
      for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      loop execute format('create trigger pause before insert or update or delete on %I for each statement execute function pause()', name); end loop;
    end $$`;
}

/** How many there were. */
export const COUNT_PAUSES = `select case when is_called then last_value else 0 end as n from pauses`;
