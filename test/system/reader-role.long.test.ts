// A server that only answers runs as a role that may only read: `migrate --reader-role` makes it, `doctor` knows it,
// and `serve` gives the answers that it gives to the owner, before and after tables of a later import are there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';

const role = `reader_of_${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), 'reader-role-'));
let scratch: ScratchDatabase;
let stream: SimulatedStream;
let asReader: string;

beforeAll(async () => {
  scratch = await createScratchDatabase({ empty: true });
  asReader = scratch.connectionString.replace(/\/\/[^@/]*@/, `//${role}@`);
  stream = await writeSimulatedStream({ seed: 'reader', blocks: 5, transactionsPerBlock: 5 });
});
afterAll(async () => {
  await withOwner((client) => client.query(`drop owned by ${role}`));
  await withOwner((client) => client.query(`drop role ${role}`));
  await stream?.close();
  await scratch?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function withOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const run = (args: string[], databaseUrl: string) =>
  runHere([...args, '--data-dir', folder], { env: { DATABASE_URL: databaseUrl } });

test('migrate makes a role that may read what comes later, too, and nothing else', async () => {
  const made = await run(['migrate', '--reader-role', role], scratch.connectionString);
  expect([made.code, made.output]).toEqual([0, expect.stringContaining(`The role ${role} may read it.`)]);
  // Safe to repeat.
  expect((await run(['migrate', '--reader-role', role], scratch.connectionString)).code).toBe(0);
  await stream.importInto(scratch.connectionString);
  await withOwner((client) => client.query('create table made_later (id int8)'));
  const reader = new pg.Client({ connectionString: asReader });
  await reader.connect();
  expect((await reader.query('select count(*)::int4 as count from record_file')).rows).toEqual([{ count: 5 }]);
  expect((await reader.query('select * from made_later')).rows).toEqual([]);
  for (const statement of ['insert into made_later values (1)', 'delete from record_file', 'create table more ()']) {
    await expect(reader.query(statement)).rejects.toMatchObject({ code: '42501' });
  }
  await reader.end();
  await withOwner((client) => client.query('drop table made_later'));
});

test('the owner is not made a reader', async () => {
  const owner = await withOwner(async (client) => (await client.query('select current_user as name')).rows[0].name);
  const { code, output } = await run(['migrate', '--reader-role', owner], scratch.connectionString);
  expect([code, output]).toEqual([1, expect.stringContaining(`The role ${owner} has all rights of this one`)]);
});

test('doctor says what the role may do', async () => {
  const found = async (databaseUrl: string, ...flags: string[]) => {
    const { output } = await run(['doctor', '--port', '0', ...flags], databaseUrl);
    return /database: (.*)/.exec(output)![1];
  };
  expect(await found(asReader)).toMatch(
    new RegExp(`the role ${role} may read and nothing else, which is enough for "serve" and not for an import$`),
  );
  expect(await found(asReader, '--read-only')).toMatch(new RegExp(`the role ${role} may read and nothing else$`));
  expect(await found(scratch.connectionString)).toMatch(/tables can be created/);
  expect(await found(scratch.connectionString, '--read-only')).toMatch(/may write; one that .*--reader-role/);
});

test('serve answers as it does to the owner, with --read-only, too', async () => {
  const answersTo = async (databaseUrl: string, flags: readonly string[] = []) => {
    const args = ['serve', '--port', '0', '--network', 'demo', '--status-service', 'off', '--data-dir', folder];
    const mirror = runMirror([...args, ...flags], { env: { DATABASE_URL: databaseUrl } });
    const [, url] = await mirror.says(/Answering on (http:\S+)/);
    const answers: string[] = [];
    for (const path of ['/api/v1/blocks', '/api/v1/accounts/0.0.2', '/api/v1/transactions', '/health/readiness']) {
      const response = await fetch(url + path);
      answers.push(`${response.status} ${await response.text()}`);
    }
    // A job cannot be kept: that is said, and nothing else happens.
    const job = await fetch(`${url}/v2/verify/etherscan/298/0x00000000000000000000000000000000000003e9`, {
      method: 'POST',
    });
    mirror.child.kill('SIGTERM');
    expect(await mirror.ended).toBe(0);
    return { answers, job: job.status };
  };
  const owner = await answersTo(scratch.connectionString);
  for (const flags of [[], ['--read-only']]) {
    const reader = await answersTo(asReader, flags);
    expect(reader.answers).toEqual(owner.answers);
    expect(reader.answers.every((answer) => answer.startsWith('200'))).toBe(true);
    expect(reader.job).toBeGreaterThanOrEqual(400);
  }
});
