// Settings of the built-in PostgreSQL for a small machine that it shares with the mirror. A committed block survives
// any
// crash: fsync and synchronous_commit stay on outside of tests.
import { totalmem } from 'node:os';

export type ServerSettingsOptions = {
  /** false only where data may be lost: tests and benchmarks, of which many run at the same time. */
  durable: boolean;
};

export function serverSettings({ durable }: ServerSettingsOptions): Record<string, string> {
  const memoryMb = Math.floor(totalmem() / 2 ** 20);
  return {
    // An eighth of the memory, which the mirror uses too. Pages that are not cached here cost a system call each, and
    // an account's 25 transactions lie on more than a hundred of them.
    shared_buffers: `${Math.min(2048, Math.max(128, Math.floor(memoryMb / 8)))}MB`,
    effective_cache_size: `${Math.max(256, Math.floor(memoryMb / 2))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    max_connections: durable ? '60' : '200',
    // The built-in server has no replicas; minimal WAL also lets COPY into new partitions skip it.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    wal_compression: 'pglz',
    random_page_cost: '1.1',
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    autovacuum_naptime: '15s',
    autovacuum_vacuum_cost_limit: '2000',
    // The folder of the socket is closed to others already.
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
}
