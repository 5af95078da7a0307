// The sources of all contracts of a ledger, found through those of a few: same code, other immutables, what factories
// made, and proxies. A kill at any moment changes nothing, and what nothing proves stays without sources.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { toLongZeroAddress } from '../../packages/protocol/hapi/evm-address.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import type { Verifier } from '../../packages/verification/create-verifier.ts';
import type { Chain } from '../../packages/verification/registry/chain-registry.ts';
import { takeMatchingLease } from '../../packages/verification/store/take-matching-lease.ts';
import { countMatches, countVerifiedShare } from '../../src/contracts/whole-ledger/count-matches.ts';
import {
  claimOf,
  createKeepingVerifier,
  createSourceOracle,
  type FileName,
  importContracts,
  openSearch,
  rememberChecks,
} from './ledger-sources.ts';

type Contract = { id: bigint; name: string | null };

const chain: Chain = { chainId: '298', name: 'Local', bytecode: { kind: 'ledger' }, explorers: [] };
let verifier: Verifier;
let checks: ReturnType<typeof rememberChecks>;
let scratch: ScratchDatabase;
let db: Database;
let contracts: Contract[];

beforeAll(async () => {
  verifier = createKeepingVerifier();
  checks = rememberChecks(verifier);
  scratch = await createScratchDatabase();
  await importContracts(scratch.connectionString, 'sources 1', 30);
  db = openDatabase(scratch);
  const nameOf = await createSourceOracle();
  const rows = await select<{ id: bigint; runtimeBytecode: Buffer }>(
    'select id, runtime_bytecode from contract order by id',
  );
  contracts = rows.map(({ id, runtimeBytecode }) => ({ id, name: nameOf(runtimeBytecode) }));
});
afterAll(async () => {
  await db.close();
  await scratch.close();
  await verifier.close();
});
beforeEach(forget);

const longZero = (id: bigint): string => `0x${toLongZeroAddress(id).toString('hex')}`;
const first = (name: string): bigint => contracts.find((one) => one.name === name)!.id;

function select<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return db.query<Row>({ name: 'of-the-test', reads: true, shape: text, text, values });
}

function run(text: string, values: unknown[] = []): Promise<unknown> {
  return db.query({ name: 'by-the-test', shape: text, text, values });
}

/** As if nothing had ever been checked. */
async function forget(): Promise<void> {
  await run(`truncate contract_match, contract_match_task, contract_match_count, verified_contract, verification_code_shape,
    verification_signature, verification_indexed, verification_compilation_source, verification_compilation,
    verification_source, verification_code_skeleton, verification_code`);
}

async function checkSome(search: ReturnType<typeof openSearch>, files: readonly FileName[]): Promise<void> {
  for (const file of files) await search.check(longZero(first(`${file}:${file}`)), claimOf(file));
}

type Row = { contractId: bigint; kind: string | null; matchedAddress: Buffer | null; implementationId: bigint | null };

function matches(): Promise<Row[]> {
  return select(`select contract_id, kind, matched_chain_id, matched_address, implementation_kind, implementation_address,
    implementation_id, address, code_hash, shape_hash from contract_match order by contract_id`);
}

/** Of every contract of the ledger: with sources exactly if it was compiled from one of these files. */
async function expectSources(files: readonly FileName[]): Promise<void> {
  const rows = new Map((await matches()).map((row) => [row.contractId, row.kind]));
  const isKnown = ({ name }: Contract) => files.some((file) => name?.startsWith(`${file}:`));
  expect(contracts.map((one) => [one.id, one.name, rows.has(one.id), (rows.get(one.id) ?? null) !== null])).toEqual(
    contracts.map((one) => [one.id, one.name, true, isKnown(one)]),
  );
}

it('every contract of checked sources has them, and no other one has', async () => {
  const search = openSearch(db, checks);
  await checkSome(search, ['Coin', 'Counter', 'Factory']);
  await search.finish();
  await expectSources(['Coin', 'Counter', 'Factory']);
  const kinds = new Map((await matches()).map(({ contractId, kind }) => [contractId, kind]));
  const kindsOf = (name: string) => contracts.filter((one) => one.name === name).map(({ id }) => kinds.get(id) ?? null);
  // Without immutables the code is the same, with them it is not; of what factories make the first is compiled.
  expect(new Set(kindsOf('Coin:Coin').slice(1))).toEqual(new Set(['same_code']));
  expect(new Set(kindsOf('Counter:Counter').slice(1))).toEqual(new Set(['similar']));
  expect(kindsOf('Factory:Child').filter((kind) => kind === 'compiled_along')).toHaveLength(1);
  expect(checks.made().compiled).toBe(4);
  expect(search.problems).toEqual([]);

  const withSources = BigInt(contracts.filter(({ id }) => kinds.get(id) !== null).length);
  expect(await countVerifiedShare(db)).toEqual({ contracts: BigInt(contracts.length), withSources });
  const counted = await countMatches(db);
  for (const kind of ['checked', 'same_code', 'similar', 'compiled_along'] as const) {
    expect([kind, counted[kind]]).toEqual([kind, BigInt([...kinds.values()].filter((one) => one === kind).length)]);
  }

  // Sources that come later find contracts that had none.
  await checkSome(search, ['Vault', 'Reverter']);
  await search.finish();
  await expectSources(['Coin', 'Counter', 'Factory', 'Vault', 'Reverter']);
});

it('what was found has the values of its own constructor', async () => {
  const search = openSearch(db, checks);
  await checkSome(search, ['Factory']);
  await search.finish();
  const children = await select<{ values: string; code: Buffer; match: string }>(
    `select v.runtime_values::text as values, c.code, v.runtime_match as match from verified_contract v
     join verification_code c on c.code_hash = v.onchain_runtime_code_hash where origin in ('similar', 'compiled_along')`,
  );
  expect(children.length).toBe(contracts.filter(({ name }) => name === 'Factory:Child').length);
  for (const { values, code, match } of children) {
    expect(match).toBe('perfect');
    const { immutables } = JSON.parse(values) as { immutables: Record<string, string> };
    expect(Object.values(immutables)).toHaveLength(2);
    for (const value of Object.values(immutables)) expect(code.toString('hex')).toContain(value.slice(2));
  }
});

it('a kill at any moment neither misses nor changes any', async () => {
  const whole = openSearch(db, checks);
  await checkSome(whole, ['Coin', 'Counter', 'Factory']);
  await whole.finish();
  const expected = await matches();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ at: fc.nat(40), isDone: fc.boolean() }), { maxLength: 4 }), async (kills) => {
      await forget();
      await checkSome(openSearch(db, checks), ['Coin', 'Counter', 'Factory']);
      for (const kill of kills) {
        const process = killedAt(kill);
        await openSearch(process.db, checks)
          .finish()
          .catch((error: Error) => expect([error.message, process.isKilled()]).toEqual([error.message, true]));
      }
      const last = openSearch(db, checks);
      await last.finish();
      expect(await matches()).toEqual(expected);
      expect(await countVerifiedShare(db)).toMatchObject({ contracts: BigInt(contracts.length) });
    }),
    { numRuns: 12 },
  );
});

/** The process ends at its nth query: before it, or after it was done. */
function killedAt({ at, isDone }: { at: number; isDone: boolean }): { db: Database; isKilled(): boolean } {
  let left = at;
  const killed: Database = {
    ...db,
    async query(named) {
      left -= 1;
      if (left < 0 && (left < -1 || !isDone)) throw new Error('killed');
      const rows = await db.query(named);
      if (left < 0) throw new Error('killed');
      return rows as never;
    },
  };
  return { db: killed, isKilled: () => left < 0 };
}

async function addContract(id: bigint, code: Buffer): Promise<void> {
  await run(
    `insert into entity (id, num, realm, shard, type, created_timestamp, timestamp_range, deleted, memo)
     values ($1, $1, 0, 0, 'CONTRACT', $1, int8range($1, null), false, '')`,
    [id],
  );
  await run('insert into contract (id, runtime_bytecode) values ($1, $2)', [id, code]);
}

it('minimal proxies are known with what is behind them, and have sources as soon as that has', async () => {
  const search = openSearch(db, checks);
  await search.finish();
  const coin = first('Coin:Coin');
  const ids = { clone: 900_001n, other: 900_003n };
  const clone = Buffer.from(`363d3d373d3d3d363d73${longZero(coin).slice(2)}5af43d82803e903d91602b57fd5bf3`, 'hex');
  try {
    await addContract(ids.clone, clone);
    await addContract(ids.other, Buffer.from('60016002', 'hex'));
    await search.finish();
    const rowOf = async (id: bigint) => (await matches()).find(({ contractId }) => contractId === id);
    expect(await rowOf(ids.clone)).toMatchObject({ kind: null, implementationKind: 'eip1167', implementationId: coin });
    expect(await rowOf(ids.other)).toMatchObject({ kind: null, implementationKind: null });
    expect(await search.lookup.find(chain, longZero(ids.clone))).toBeNull();

    // The clone has sources as soon as what it forwards to has.
    await checkSome(search, ['Coin']);
    await search.finish();
    expect(await rowOf(ids.clone)).toMatchObject({ kind: 'minimal_proxy', matchedAddress: toLongZeroAddress(coin) });
    expect(await search.lookup.find(chain, longZero(ids.clone))).toMatchObject({
      contract: { address: toLongZeroAddress(ids.clone), creationMatch: null, runtimeMatch: 'perfect' },
      similarTo: { address: toLongZeroAddress(coin) },
    });
  } finally {
    await run('delete from contract where id > 900000');
    await run('delete from entity where id > 900000');
  }
});

it('matches of earlier versions, which stored no shapes and signatures, find their like', async () => {
  const search = openSearch(db, checks);
  await checkSome(search, ['Counter']);
  await run('truncate verification_code_shape, verification_signature, verification_indexed, contract_match_task');
  await search.finish();
  const kinds = (await matches()).filter(({ kind }) => kind !== null);
  expect(kinds).toHaveLength(contracts.filter(({ name }) => name === 'Counter:Counter').length);
  expect(await select('select kind, signature from verification_signature order by kind, signature')).toEqual([
    { kind: 'event', signature: 'Incremented(address,uint256)' },
    ...['callsOf(address)', 'count()', 'increment()', 'owner()', 'spin()', 'underflow(uint256)'].map((signature) => ({
      kind: 'function',
      signature,
    })),
  ]);
});

it('one process at a time searches', async () => {
  const lease = await takeMatchingLease(scratch.connectionString);
  expect(lease?.isHeld()).toBe(true);
  expect(await takeMatchingLease(scratch.connectionString)).toBeNull();
  await lease!.release();
  const next = await takeMatchingLease(scratch.connectionString);
  await run(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'ledger-mirror search for sources' and datname = current_database()`);
  await vi.waitUntil(() => !next!.isHeld(), { timeout: 60_000 });
  await next!.release();
});
