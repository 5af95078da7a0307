// A real block of mainnet, imported and served by the program as its users run it: the contract results that it answers
// are those that an independent decoding of the files gives, on the embedded PostgreSQL and on one of Debian's.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  isDebianPostgresInstalled,
  startDebianPostgres,
} from '../../packages/test-support/postgres/debian-postgres.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { type Dialect, findByAddress, predictResult } from '../oracle/answers/predict-answers.ts';
import { parseExact } from '../oracle/read/parse-exact.ts';
import { readBlock } from '../oracle/read/read-block.ts';
import { createReadLedger } from '../oracle/read/read-ledger.ts';
import { readResults } from '../oracle/read/read-results.ts';
import { runMirror } from '../support/program/run-mirror.ts';

const real = findRealData('streams/mainnet-2025-07-23');
const source = real.path;
const addressBook = findRealData('books/mainnet-2025-07-23.bin').path;
const closers: (() => Promise<void>)[] = [];
let folder: string;

describe.skipIf(real.isAbsent)(`block 82297471 of mainnet${real.hint}`, () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mainnet-'));
    // As root PostgreSQL runs as another user, who must come through.
    chmodSync(folder, 0o711);
  });
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('embedded PostgreSQL, as the specification says', async () => {
    await expectResults('spec', ['--data-dir', join(folder, 'data')]);
  });

  test.skipIf(!isDebianPostgresInstalled)('PostgreSQL 15 of Debian, as Hiero says', async () => {
    const server = await startDebianPostgres();
    closers.push(server.close);
    await expectResults('hiero', [], { DATABASE_URL: server.connectionString('admin', 'postgres') });
  });
});

async function expectResults(dialect: Dialect, where: string[], env: Record<string, string> = {}): Promise<void> {
  const files = ['--source', source, '--address-book', addressBook];
  const importer = runMirror(['import', '--once', ...files, ...where], { env });
  expect([await importer.ended, importer.output()]).toEqual([
    0,
    expect.stringMatching(/Imported 1 block.* 47 transactions/),
  ]);
  const settings = ['--port', '0', '--no-synthetic-results', '--dialect', dialect];
  const server = runMirror(['serve', ...settings, ...where], { env });
  closers.push(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });
  const [, url] = await server.says(/^Answering on (\S+)$/m);
  const answer = await fetch(`${url}/api/v1/contracts/results?limit=100&order=asc&internal=true`);
  expect(answer.status).toBe(200);
  const { results } = parseExact(await answer.text());
  const predicted = predict(dialect);
  const logs = await fetch(`${url}/api/v1/contracts/results/logs?limit=100`);
  const ofLogs = bloomOf(((await logs.json()) as { logs: Log[] }).logs);
  // Logs that stand for transfers are added to the bloom of the record, and nothing else is.
  const blooms = results.map(({ bloom }: Result, index: number) => [bloom, (predicted[index] as Result).bloom]);
  for (const [bloom, own] of blooms) {
    expect([own, BigInt(own) & BigInt(bloom)]).toEqual([own, BigInt(own)]);
    expect([bloom, BigInt(bloom) & (BigInt(own) | ofLogs)]).toEqual([bloom, BigInt(bloom)]);
  }
  expect(results.map(withoutBloom)).toEqual(predicted.map(withoutBloom));
  expect(predicted.length).toBeGreaterThan(30);
  server.child.kill('SIGINT');
  expect(await server.ended).toBe(0);
}

type Result = { bloom: string };
type Log = { address: string; topics: string[] };

const withoutBloom = (result: object) => ({ ...result, bloom: null });

/** As the yellow paper has it: of each address and topic three bits, by its Keccak hash. */
function bloomOf(logs: readonly Log[]): bigint {
  let bloom = 0n;
  for (const part of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = keccak_256(Buffer.from(part.slice(2), 'hex'));
    for (const place of [0, 2, 4]) bloom |= 1n << BigInt(((hash[place]! & 7) << 8) | hash[place + 1]!);
  }
  return bloom;
}

function predict(dialect: Dialect): object[] {
  const node = join(source, 'recordstreams/record0.0.21');
  const block = readBlock(node, readdirSync(node).find((name) => name.endsWith('.rcd.gz'))!);
  const ledger = createReadLedger();
  ledger.read(block);
  return readResults(block, (address) => findByAddress(ledger, address))
    .filter(({ item }) => item.status !== 312)
    .map((one) => predictResult(ledger, one, dialect));
}
