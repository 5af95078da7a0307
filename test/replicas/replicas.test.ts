// Queries answered from replicas, with a real PostgreSQL 15 and two streaming replicas of it: lost, lagging, and back
// again.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import {
  createReplicatedDatabase,
  type ReplicatedDatabase,
} from '../../packages/store/replicas/replicated-database.ts';
import {
  type DebianPostgres,
  type DebianReplica,
  isDebianPostgresInstalled,
  startDebianPostgres,
} from '../../packages/test-support/postgres/debian-postgres.ts';

// Each waits for several moves, and for a machine that is busy with other things.
vi.setConfig({ testTimeout: 600_000 });

const second = 1_000_000_000n;
let primary: DebianPostgres;
let replicas: DebianReplica[];
let db: ReplicatedDatabase;
const moves: string[] = [];

describe.skipIf(!isDebianPostgresInstalled)('with replicas (needs Debian package postgresql-15)', () => {
  let writer: pg.Client;
  let newest = 0n;

  beforeAll(async () => {
    primary = await startDebianPostgres();
    await primary.run('create table record_file (consensus_end bigint primary key, other bigint)');
    replicas = [await primary.startReplica(), await primary.startReplica()];
    writer = new pg.Client({ connectionString: primary.connectionString('admin', 'postgres') });
    await writer.connect();
    const place = (name: string, at: Pick<DebianPostgres, 'connectionString'>) => ({
      name,
      db: openDatabase({ connectionString: at.connectionString('admin', 'postgres'), maxConnections: 4 }),
    });
    db = createReplicatedDatabase({
      primary: place('primary', primary),
      replicas: replicas.map((at, index) => place(`replica ${index + 1}`, at)),
      maxLagMs: 10_000,
      pollMs: 50,
      returnEveryMs: 200,
      onMove: (from, to) => moves.push(`${from} > ${to}`),
    });
  });
  afterAll(async () => {
    await db?.close();
    await writer?.end();
    await primary?.close();
  });

  async function writeBlock(): Promise<void> {
    newest += 2n * second;
    await writer.query('insert into record_file values ($1, $1)', [newest]);
  }

  const answer = async (own: Database = db): Promise<{ end: bigint; other: bigint; isReplica: boolean }> => {
    const [row] = await own.query<{ end: bigint; other: bigint; isReplica: boolean }>({
      name: 'test-answer',
      text: `select coalesce(max(consensus_end), 0) as end, coalesce(max(other), 0) as other, pg_is_in_recovery() as "isReplica" from record_file`,
    });
    return row!;
  };

  const isRead = () => db.places().find((place) => place.isRead)!.name;

  async function eventually(test: () => boolean): Promise<void> {
    await vi.waitUntil(test, { timeout: 240_000, interval: 20 }).catch(() => {
      throw new Error(`never: ${test}; ${isRead()} is read; ${moves.join(', ')}`);
    });
  }

  const until = (name: string): Promise<void> => eventually(() => isRead() === name);

  it('the first replica is read once it has everything that the primary has shown', async () => {
    for (const replica of replicas) await replica.pauseReplay(true);
    // More than a replica may be behind.
    for (let count = 0; count < 6; count += 1) await writeBlock();
    await until('primary');
    expect(await answer()).toEqual({ end: newest, other: newest, isReplica: false });
    await replicas[0]!.pauseReplay(false);
    await until('replica 1');
    expect(await answer()).toMatchObject({ end: newest, other: newest });
    // On a busy machine a replica that answers late is left for a moment.
    await expect.poll(async () => (await answer()).isReplica, { timeout: 120_000 }).toBe(true);
    await replicas[1]!.pauseReplay(false);
  });

  it('answers never go backwards and none fails while blocks come, replicas stop replaying, are lost, and are all gone', async () => {
    const stop = new AbortController();
    let isWriting = true;
    let answers = 0;
    const failures: string[] = [];
    const problems: string[] = [];
    // One client that asks one question after the other, three times at once.
    let seen = 0n;
    const client = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const before = seen;
        try {
          // Asks twice, as of one moment.
          const [one, again] = await db.snapshot(async (own) => [await answer(own), await answer(own)]);
          const { end } = one!;
          if (end < before) problems.push(`${end} after ${before}`);
          if (again!.end !== end || one!.other !== end) problems.push(`two moments at ${end}`);
          if (end > seen) seen = end;
          answers += 1;
        } catch (error) {
          failures.push((error as Error).message);
        }
        await sleep(2);
      }
    };
    const writing = (async () => {
      while (!stop.signal.aborted) {
        if (isWriting) await writeBlock();
        await sleep(10);
      }
    })();
    const clients = [client(), client(), client()];

    await replicas[0]!.pauseReplay(true);
    await until('replica 2');
    await replicas[1]!.pauseReplay(true);
    await until('primary');
    await replicas[0]!.pauseReplay(false);
    await until('replica 1');
    isWriting = false;
    await replicas[1]!.pauseReplay(false);
    await eventually(() => db.places().every(({ endNs }) => endNs === newest));
    await replicas[1]!.pauseReplay(true);
    await writeBlock();
    await eventually(() => seen === newest);
    // Also where the machine was so busy that it had to be left in between.
    await until('replica 1');
    await replicas[0]!.kill();
    // The second is not far behind; only the primary has what was shown.
    await until('primary');
    expect(moves.at(-1)).toBe('replica 1 > primary');
    await eventually(() => seen === newest);
    isWriting = true;
    await replicas[1]!.pauseReplay(false);
    await until('replica 2');
    await replicas[1]!.kill();
    await until('primary');

    stop.abort();
    await Promise.all([...clients, writing]);
    expect(problems).toEqual([]);
    expect(failures).toEqual([]);
    expect(answers).toBeGreaterThan(50);
    expect(await answer()).toEqual({ end: newest, other: newest, isReplica: false });
  });
});
