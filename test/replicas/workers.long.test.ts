// Two workers of one `serve` over replicas: whichever answers, no answer is older than one that the other has given.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import {
  type DebianPostgres,
  type DebianReplica,
  isDebianPostgresInstalled,
  startDebianPostgres,
} from '../../packages/test-support/postgres/debian-postgres.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { examine, type Finding } from '../../src/runtime/doctor/examine.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

const folder = mkdtempSync(join(tmpdir(), 'replica-workers-'));
let primary: DebianPostgres;
let replicas: DebianReplica[];
let writer: pg.Client;
let mirror: RunningMirror;
let url: string;

describe.skipIf(!isDebianPostgresInstalled)('workers over replicas (needs Debian package postgresql-15)', () => {
  beforeAll(async () => {
    primary = await startDebianPostgres();
    const connectionString = primary.connectionString('admin', 'postgres');
    await migrate({ connectionString });
    const stream = await writeSimulatedStream({ seed: 'replica workers', blocks: 1, transactionsPerBlock: 3 });
    await stream.importInto(connectionString);
    stream.close();
    replicas = [await primary.startReplica(), await primary.startReplica()];
    writer = new pg.Client({ connectionString });
    await writer.connect();
    const urls = replicas.map((replica) => replica.connectionString('admin', 'postgres')).join(',');
    const flags = ['--port', '0', '--status-service', 'off', '--data-dir', join(folder, 'data'), '--log-level', 'info'];
    mirror = runMirror(['serve', '--workers', '2', ...flags], {
      env: { DATABASE_URL: connectionString, LEDGER_MIRROR_REPLICA_URLS: urls },
    });
    url = (await mirror.says(/Answering on (http:\S+)/))[1]!;
  });
  afterAll(async () => {
    mirror?.child.kill('SIGTERM');
    await mirror?.ended;
    await writer?.end();
    await primary?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A block a fifth of a second after the last one. */
  async function writeBlock(): Promise<void> {
    await writer.query(`insert into record_file select (jsonb_populate_record(r, jsonb_build_object(
  'index', r.index + 1, 'consensus_start', r.consensus_start + 200000000, 'consensus_end', r.consensus_end + 200000000))).*
from record_file r order by consensus_end desc limit 1`);
  }

  /** A separate connection, which goes to the worker whose turn it is. */
  async function ask(path: string): Promise<Response> {
    return fetch(url + path, { headers: { connection: 'close' }, signal: AbortSignal.timeout(120_000) });
  }

  /** Until both workers read there. */
  async function untilReadFrom(at: Pick<DebianPostgres, 'connectionString'>): Promise<void> {
    const index = replicas.indexOf(at as DebianReplica);
    const place = index < 0 ? 'primary' : `replica ${index + 1}`;
    const line = `ledger_mirror_database_read{place="${place}"} 2`;
    for (;;) {
      const text = await (await ask('/metrics')).text();
      if (text.includes(line)) return;
      expect(mirror.child.exitCode).toBe(null);
      await sleep(50);
    }
  }

  /** As `doctor` does. */
  async function examinePort(): Promise<Finding> {
    const settings = loadSettings('doctor', ['--port', new URL(url).port], {});
    for await (const finding of examine(settings, ['port'])) return finding;
    throw new Error('doctor asks nothing about the port');
  }

  it('answers never go backwards, and none fails, while the reading moves from place to place', {
    timeout: 300_000,
  }, async () => {
    const stop = new AbortController();
    let isWriting = true;
    const problems: string[] = [];
    let seen = -1;
    let answers = 0;
    const client = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const before = seen;
        const answer = await ask('/api/v1/blocks?limit=1');
        const { blocks } = (await answer.json()) as { blocks?: { number: number }[] };
        const number = blocks?.[0]?.number;
        if (number === undefined) problems.push(`status ${answer.status}`);
        else if (number < before) problems.push(`block ${number} after ${before}`);
        else seen = Math.max(seen, number);
        answers += 1;
      }
    };
    const writing = (async () => {
      while (!stop.signal.aborted) {
        if (isWriting) await writeBlock();
        await sleep(20);
      }
    })();
    const clients: Promise<void>[] = [];
    try {
      await untilReadFrom(replicas[0]!);
      clients.push(client(), client(), client());
      await replicas[0]!.pauseReplay(true);
      await untilReadFrom(replicas[1]!);
      await replicas[1]!.pauseReplay(true);
      await untilReadFrom(primary);
      await replicas[0]!.pauseReplay(false);
      // On a busy machine it might fall behind again before doctor has looked.
      isWriting = false;
      await untilReadFrom(replicas[0]!);
      expect(await examinePort()).toMatchObject({
        ok: true,
        found: expect.stringMatching(
          /^a mirror answers at .*: 2 of 2 processes answer; replica 1 is read by 2, .* s behind/,
        ),
      });
      await replicas[0]!.kill();
      await untilReadFrom(primary);
      expect(await examinePort()).toMatchObject({
        ok: false,
        found: expect.stringContaining('replica 1 does not answer'),
      });
    } finally {
      stop.abort();
      await Promise.all([...clients, writing]);
    }
    expect(problems).toEqual([]);
    expect(answers).toBeGreaterThan(20);
    const moves = mirror.output().match(/(?:warn|info) +Queries go to .*/g) ?? [];
    expect(moves.length).toBeGreaterThanOrEqual(5);
    for (const move of moves) {
      expect(move).toMatch(/^info .*it comes first, and has all blocks again$|^warn .*it (does not answer|is behind)$/);
    }
  });
});
