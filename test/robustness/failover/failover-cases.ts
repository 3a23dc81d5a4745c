// What happens to the PostgreSQL of a library: its primary fails and a replica is promoted, with and without the last commits, it is recovered
// to a point in time, and a replica that lags answers in its place.

import type { FailoverCase } from './fail-over.ts';

const RESTORE_POINT = 'before_the_mistake';

export const FAILOVER_CASES: readonly FailoverCase[] = [
  {
    name: 'a synchronous replica is promoted',
    replication: 'synchronous',
    loses: false,
    async failOver({ cluster, lead, failing }) {
      failing();
      await cluster.crash(cluster.primary);
      await cluster.promote(cluster.replica);
      lead(cluster.replica);
      return cluster.replica;
    },
  },
  {
    name: 'a synchronous replica is promoted behind PgBouncer',
    replication: 'synchronous',
    isPooled: true,
    loses: false,
    async failOver({ cluster, lead, failing }) {
      failing();
      await cluster.crash(cluster.primary);
      await cluster.promote(cluster.replica);
      lead(cluster.replica);
      return cluster.replica;
    },
  },
  {
    name: 'an asynchronous replica that was cut off for seconds is promoted',
    replication: 'asynchronous',
    loses: true,
    async failOver({ cluster, lead, failing, underLoad }) {
      await cluster.cutReplication();
      await underLoad(4);
      failing();
      await cluster.crash(cluster.primary);
      await cluster.promote(cluster.replica);
      lead(cluster.replica);
      return cluster.replica;
    },
  },
  {
    name: 'an asynchronous replica is promoted, the previous primary follows it after pg_rewind, and takes over again',
    replication: 'asynchronous',
    loses: true,
    async failOver({ cluster, lead, failing, underLoad }) {
      const { primary, replica } = cluster;
      await cluster.cutReplication();
      await underLoad(4);
      await cluster.crash(primary);
      await cluster.promote(replica);
      lead(replica);
      await cluster.rejoin(primary, replica);
      await underLoad(8);
      // Planned: a primary that is stopped sends everything to its replica first.
      failing();
      await cluster.stop(replica);
      await cluster.promote(primary);
      lead(primary);
      return primary;
    },
  },
  {
    name: 'the database is recovered to a point in time',
    replication: 'asynchronous',
    loses: true,
    async failOver({ cluster, lead, failing, underLoad }) {
      await cluster.sql(cluster.primary, `select pg_create_restore_point('${RESTORE_POINT}')`);
      await underLoad(4);
      failing();
      // A server that is stopped archives its last segment.
      await cluster.stop(cluster.primary);
      const recovered = await cluster.recover(RESTORE_POINT);
      lead(recovered);
      return recovered;
    },
  },
  {
    name: 'a balancer leads to the primary and to a replica that lags, in turn',
    replication: 'asynchronous',
    loses: false,
    async failOver({ cluster, lead, failing, underLoad }) {
      const { primary, replica } = cluster;
      failing();
      await cluster.sql(replica, 'select pg_wal_replay_pause()');
      await underLoad(2);
      lead(primary, replica);
      await underLoad(10);
      lead(primary);
      return primary;
    },
  },
];
