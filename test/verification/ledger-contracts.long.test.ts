// Contracts of a mirrored ledger: what its database says about their code and their creation, and that records of the
// simulated network's own sources prove them, however they were created.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { toLongZeroAddress } from '../../packages/protocol/hapi/evm-address.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { initcodeOf } from '../../packages/simulated-network/evm/artifacts.ts';
import type { LedgerTables } from '../../packages/simulated-network/ledger/ledger.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { checkWithKept } from '../../packages/test-support/verification/kept-compilers.ts';
import { createVerifier } from '../../packages/verification/create-verifier.ts';
import type { OnchainContract, OnchainSource } from '../../packages/verification/terms/onchain-contract.ts';
import type { SourceClaim } from '../../packages/verification/terms/source-claim.ts';
import { createLedgerChain } from '../../src/contracts/onchain/ledger-chain.ts';

let database: ScratchDatabase;
let db: Database;
let truth: LedgerTables;
let chain: OnchainSource;
let contracts: { id: bigint; onchain: OnchainContract }[];

const verifier = createVerifier({
  compilers: { folder: null, download: 'off', downloadUrl: '' },
  limits: { compileMs: 120_000, memoryBytes: 2_000_000_000, concurrent: 2, queue: 10, inputBytes: 1_000_000 },
  log: () => undefined,
  runCheck: checkWithKept,
});

beforeAll(async () => {
  const stream = await writeSimulatedStream({ seed: 'ledger contracts 2', blocks: 60, transactionsPerBlock: 25 });
  truth = stream.truth;
  database = await createScratchDatabase();
  const { connectionString } = database;
  await stream.importInto(connectionString);
  stream.close();
  db = openDatabase({ connectionString });
  chain = createLedgerChain({ chain: { chainId: '298' }, db, system: usualRealm });
  const ids = [...truth.accounts.values()].filter(({ isContract }) => isContract).map(({ id }) => id);
  contracts = await Promise.all(ids.map(async (id) => ({ id, onchain: await chain.read(longZero(id)) })));
});

afterAll(async () => {
  await verifier.close();
  await db.close();
  await database.close();
});

test('every contract has the code that the network gave it, at each of its addresses', async () => {
  expect(contracts.length).toBeGreaterThan(20);
  for (const { id, onchain } of contracts) {
    const { code, evmAddress, deleted } = truth.accounts.get(id)!;
    const address = evmAddress ? `0x${Buffer.from(evmAddress).toString('hex')}` : longZero(id);
    expect(onchain).toMatchObject({ kind: 'contract', chainId: '298', address, deleted });
    expect(onchain.otherAddresses).toEqual(evmAddress ? [longZero(id)] : []);
    if (!deleted) {
      expect(onchain.runtimeCode).toEqual(Buffer.from(code!));
      expect(await chain.read(address.toUpperCase().replace('0X', '0x'))).toEqual(onchain);
    }
  }
});

test('every contract was created by a transaction in a block, by some account or by another contract', () => {
  const addresses = contracts.map(({ onchain }) => onchain.address);
  for (const { onchain } of contracts) {
    const isMade = originOf(onchain, false, false) === madeByContract;
    if (isMade) expect(addresses).toContain(onchain.creation?.factory);
    expect(onchain.creation).toEqual({
      transactionHash: expect.stringMatching(/^0x([0-9a-f]{64}|[0-9a-f]{96})$/),
      blockNumber: expect.any(BigInt),
      transactionIndex: expect.any(Number),
      deployer: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      factory: isMade ? expect.any(String) : null,
      createdTimestamp: expect.any(BigInt),
    });
  }
});

const names = ['Counter', 'Coin', 'Factory', 'Reverter', 'Vault'] as const;

const madeByContract = 'made by a contract';

/** Creation by a file or by bytes, through HAPI or Ethereum; `Child` comes from a factory. */
function originOf({ creationCodes }: OnchainContract, isFile: boolean, isEthereum: boolean): string {
  const name = names.find((one) =>
    creationCodes.some((code) => code.subarray(0, 400).equals(initcodeOf(one).subarray(0, 400))),
  );
  if (name === undefined) return madeByContract;
  return `${isEthereum ? 'Ethereum' : 'HAPI'}, ${isFile ? 'file' : 'bytes'}`;
}

describe('proven by their sources', () => {
  test('however they were created', async () => {
    const rows = await db.query<{ id: bigint; is_file: boolean; is_ethereum: boolean }>({
      name: 'contract-origins',
      text: `select c.id, coalesce(c.file_id, 0) > 0 as is_file, e.hash is not null as is_ethereum
from contract c join entity on entity.id = c.id join transaction t on t.consensus_timestamp = entity.created_timestamp
left join ethereum_transaction e on e.consensus_timestamp = t.parent_consensus_timestamp`,
    });
    const byOrigin = new Map<string, OnchainContract>();
    for (const { id, onchain } of contracts) {
      const row = rows.find((one) => one.id === id)!;
      const origin = originOf(onchain, row.is_file, row.is_ethereum);
      // The stream has the creation code of the first contract that a transaction made, of the others what they left alone.
      const isBare = origin === madeByContract && onchain.creationCodes.length === 0;
      byOrigin.set(isBare ? `${origin}, without its creation code` : origin, onchain);
    }
    expect([...byOrigin.keys()].sort()).toEqual([
      'Ethereum, bytes',
      'Ethereum, file',
      'HAPI, bytes',
      'HAPI, file',
      'made by a contract',
      'made by a contract, without its creation code',
    ]);
    const found = await Promise.all(
      [...byOrigin].map(async ([origin, onchain]) => {
        const { status, runtime, creation } = await verifier.verify(onchain, claimFor(onchain));
        return [origin, status, runtime.match, creation.match];
      }),
    );
    for (const [origin, ...levels] of found) {
      const creation = String(origin).endsWith('without its creation code') ? null : 'perfect';
      expect(levels, String(origin)).toEqual(['perfect', 'perfect', creation]);
    }
  });
});

test.each<[string, () => string, object]>([
  ['a token', () => longZero([...truth.tokens.keys()][0]!), { kind: 'token' }],
  ['the token service', () => longZero(0x167n), { kind: 'system' }],
  ['a precompile', () => longZero(1n), { kind: 'system' }],
  [
    'an account',
    () => longZero([...truth.accounts.values()].find(({ id, isContract }) => id > 1000n && !isContract)!.id),
    { kind: 'none' },
  ],
  ['a number that nobody has', () => longZero(999_999_999n), { kind: 'none' }],
  ['an address that nobody has', () => `0x${'ab'.repeat(20)}`, { kind: 'none' }],
  ['the zero address', () => longZero(0n), { kind: 'none' }],
])('%s', async (_, address, expected) => {
  const onchain = await chain.read(address());
  expect(onchain).toMatchObject({ ...expected, address: address(), runtimeCode: null, creationCodes: [] });
  const code = { token: 'token_proxy', system: 'system_contract', none: 'contract_not_deployed', contract: null };
  expect(verifier.answerWithoutSources(onchain)).toMatchObject({ status: 'null', code: code[onchain.kind] });
});

describe('rows of other times', () => {
  const clone = Buffer.from(`363d3d373d3d3d363d73${'cd'.repeat(20)}5af43d82803e903d91602b57fd5bf3`, 'hex');
  /** Times are counted from here, in ns. */
  let base: bigint;
  const code = (byte: string) => Buffer.from(byte.repeat(30), 'hex');

  beforeAll(async () => {
    const [newest] = await db.query<{ at: bigint }>({
      name: 'newest-transaction',
      text: 'select max(consensus_timestamp) as at from transaction',
    });
    base = newest!.at + 1000n;
    // Id, creation, EVM address, runtime code, creation code, deleted.
    await contract(900_001n, 1n, 'c1', code('01'), code('a1'));
    await contract(900_002n, 2n, 'c2', code('02'), code('a1'));
    await contract(900_003n, 3n, 'c3', code('03'), code('a3'));
    await contract(900_004n, null, 'c4', null, null);
    await contract(900_005n, null, 'cd', code('05'), null);
    await contract(900_006n, null, 'c6', clone, null);
    await contract(900_007n, null, 'c7', code('07'), null, true);
    await contract(900_008n, null, 'c7', code('08'), null);
    await contract(900_009n, 9n, 'c9', code('09'), code('a9'));
    await contract(900_010n, 9n, 'ca', code('0a'), code('a9'));
    // An Ethereum transaction made the first; the second and the third were made inside it.
    await transaction(0n, null, 900_001n);
    for (const [at, id] of [
      [1n, 900_001n],
      [2n, 900_002n],
      [3n, 900_003n],
    ] as const)
      await transaction(at, 0n, id);
    // Before children had records: one creation, two contracts.
    await transaction(9n, null, 900_009n);
  });

  test.each([
    ['made by the transaction itself', 'c1', [code('a1')]],
    ['made inside it, with its code', 'c2', []],
    ['made inside it, with code from a sidecar', 'c3', [code('a3')]],
    ['made by a creation of old times', 'c9', [Buffer.concat([code('a9'), Buffer.from('77', 'hex')]), code('a9')]],
    ['made inside a creation of old times', 'ca', []],
  ])('%s', async (_, byte, creationCodes) => {
    expect((await chain.read(`0x${byte.repeat(20)}`)).creationCodes).toEqual(creationCodes);
  });

  test('code that is stored nowhere', async () => {
    const onchain = await chain.read(longZero(900_004n));
    expect(onchain).toMatchObject({
      kind: 'contract',
      runtimeCode: null,
      creation: null,
      address: `0x${'c4'.repeat(20)}`,
    });
    expect(verifier.answerWithoutSources(onchain)).toMatchObject({
      status: 'null',
      code: 'onchain_bytecode_not_available',
    });
  });

  test('a minimal proxy and what it forwards to', async () => {
    const { implementation } = await chain.read(`0x${'c6'.repeat(20)}`);
    expect(implementation).toMatchObject({ address: `0x${'cd'.repeat(20)}`, runtimeCode: code('05') });
  });

  test('of several contracts that had an address, the one that lives', async () => {
    expect(await chain.read(`0x${'c7'.repeat(20)}`)).toMatchObject({ runtimeCode: code('08'), deleted: false });
    expect(await chain.read(longZero(900_007n))).toMatchObject({ runtimeCode: code('07'), deleted: true });
  });

  async function contract(
    id: bigint,
    created: bigint | null,
    byte: string,
    runtime: Buffer | null,
    initcode: Buffer | null,
    deleted = false,
  ): Promise<void> {
    await db.query({
      name: 'add-entity',
      text: `insert into entity (id, num, shard, realm, type, evm_address, created_timestamp, deleted, timestamp_range)
values ($1, $1, 0, 0, 'CONTRACT', $2, $3, $4, '[0,)')`,
      values: [id, Buffer.from(byte.repeat(20), 'hex'), created === null ? null : base + created, deleted],
    });
    await db.query({
      name: 'add-contract',
      text: 'insert into contract (id, runtime_bytecode, initcode) values ($1, $2, $3)',
      values: [id, runtime, initcode],
    });
  }

  async function transaction(at: bigint, parent: bigint | null, contractId: bigint): Promise<void> {
    await db.query({
      name: 'add-transaction',
      text: `insert into transaction (consensus_timestamp, parent_consensus_timestamp, payer_account_id, result, type, valid_start_ns)
values ($1, $2, 2, 22, 8, $1)`,
      values: [base + at, parent === null ? null : base + parent],
    });
    await db.query({
      name: 'add-result',
      text: `insert into contract_result (consensus_timestamp, contract_id, function_parameters, gas_limit, payer_account_id, transaction_result)
values ($1, $2, '\\x77', 0, 2, 22)`,
      values: [base + at, contractId],
    });
  }
});

test('a database that is away is said to be away', async () => {
  const closed = openDatabase({ connectionString: database.connectionString });
  await closed.close();
  const away = createLedgerChain({ chain: { chainId: '298' }, db: closed, system: usualRealm });
  await expect(away.read(longZero(5n))).rejects.toMatchObject({ code: 'cannot_fetch_bytecode', status: 502 });
});

function longZero(id: bigint): string {
  return `0x${toLongZeroAddress(id).toString('hex')}`;
}

/** The source whose creation code it begins with; what else there is was made by the factory. */
function claimFor({ creationCodes }: OnchainContract): SourceClaim {
  const begins = (name: (typeof names)[number]) =>
    creationCodes.some((code) => code.subarray(0, 400).equals(initcodeOf(name).subarray(0, 400)));
  const name = names.find(begins);
  const path = `${name ?? 'Factory'}.sol`;
  const content = readFileSync(new URL(`../../packages/simulated-network/contracts/${path}`, import.meta.url), 'utf8');
  return {
    language: 'Solidity',
    compilerVersion: 'v0.8.37+commit.f401782d',
    input: {
      language: 'Solidity',
      sources: { [path]: { content } },
      settings: { evmVersion: 'cancun', optimizer: { enabled: true, runs: 200 } },
    },
    target: { path, name: name ?? 'Child' },
  };
}
