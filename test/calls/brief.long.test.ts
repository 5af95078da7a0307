// Calls whose state is kept in memory, while blocks come: every answer is that of one block, the newest when it was
// asked or a later one; and the same as that of a server that has just begun.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { pause } from '../../packages/kit/pause.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { type RunningBlockWatch, watchBlocks } from '../../packages/store/notify/block-watch.ts';
import { assemble } from '../../packages/test-support/evm/assemble.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { type Calls, createCalls } from '../../src/calls/create-calls.ts';
import type { CallQuestion } from '../../src/calls/thread/job.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const [account, token, contract, longContract] = [1001, 1002, 1003, 1004];
const second = 1_000_000_000n;
const startOf = (block: number): bigint => (1_700_000_000n + 2n * BigInt(block)) * second;
const answer = 'NUMBER PUSH 0 MSTORE PUSH 0 SLOAD PUSH 32 MSTORE PUSH 64 PUSH 0 RETURN';
/** More steps than are run where a call comes in. */
const longAnswer = `PUSH 2000 :again JUMPDEST PUSH 1 SWAP1 SUB DUP1 PUSH @again JUMPI ${answer}`;

let rows: StoredRows;
let client: pg.Client;
let newest = 0;
const opened: { close(): Promise<unknown> }[] = [];
beforeAll(async () => {
  const entity = (id: number, type: string) => ({
    table: 'entity',
    row: {
      id,
      num: id,
      shard: 0,
      realm: 0,
      type,
      memo: '',
      balance: 5,
      deleted: false,
      created_timestamp: 1,
      timestamp_range: '[1,)',
    },
  });
  const code = (id: number, text: string) => ({
    table: 'contract',
    row: { id, runtime_bytecode: Buffer.from(assemble(text)) },
  });
  rows = await storeRows([
    ...[entity(2, 'ACCOUNT'), entity(account, 'ACCOUNT'), entity(token, 'TOKEN')],
    ...[entity(contract, 'CONTRACT'), entity(longContract, 'CONTRACT')],
    ...[code(contract, answer), code(longContract, longAnswer)],
    {
      table: 'token',
      row: {
        token_id: token,
        name: 'T',
        symbol: 'T',
        type: 'FUNGIBLE_COMMON',
        treasury_account_id: account,
        created_timestamp: 1,
        timestamp_range: '[1,)',
        decimals: 0,
        freeze_status: 0,
        kyc_status: 0,
        freeze_default: false,
        initial_supply: 0,
        total_supply: 0,
      },
    },
    {
      table: 'token_account',
      row: {
        token_id: token,
        account_id: account,
        balance: 0,
        associated: true,
        created_timestamp: 1,
        timestamp_range: '[1,)',
      },
    },
  ]);
  client = new pg.Client(rows.connectionString);
  await client.connect();
  await addBlock();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(async () => {
  await client?.end();
  await rows?.close();
});

/** Slots, the holder's balance and the supply are the number of the block. */
async function addBlock(): Promise<void> {
  const block = newest + 1;
  const start = startOf(block);
  const end = start + second;
  await client.query('begin');
  await client.query(
    `insert into record_file (index, consensus_start, consensus_end, count, digest_algorithm, file_hash, hash, prev_hash,
       load_start, load_end, name, version) values ($1, $2, $3, 1, 0, 'f', $4, $5, 0, 0, $6, 6)`,
    [block, start, end, `ab${block}`, `ab${block - 1}`, `${block}.rcd`],
  );
  const value = Buffer.from(block.toString(16).padStart(64, '0'), 'hex');
  for (const id of [contract, longContract]) {
    await client.query(
      `insert into contract_state (contract_id, slot, value, created_timestamp, modified_timestamp) values ($1, $2, $3, 1, $4)
       on conflict (contract_id, slot) do update set value = excluded.value`,
      [id, Buffer.alloc(32), value, start],
    );
    await client.query(
      `insert into contract_state_change (consensus_timestamp, contract_id, payer_account_id, slot, value_read, value_written)
       values ($1, $2, 2, '', '', $3)`,
      [start, id, value],
    );
  }
  await client.query('update token set total_supply = $1', [block]);
  await client.query('update token_account set balance = $1', [block]);
  await client.query(`select pg_notify('ledger_mirror_block', $1)`, [String(end)]);
  await client.query('commit');
  newest = block;
}

function start(watch?: RunningBlockWatch): Calls {
  const { db } = rows;
  const calls = createCalls({
    db,
    system: usualRealm,
    network: { chainId: 298n },
    ...(watch ? { blocks: watch.state } : {}),
  });
  opened.push(calls);
  return calls;
}

async function startWatch(): Promise<RunningBlockWatch> {
  const watch = watchBlocks({ connectionString: rows.connectionString, onLost: () => {} });
  opened.push(watch);
  await vi.waitUntil(() => watch.state.newestEnd !== null && watch.state.confirmedMs > 0);
  return watch;
}

type Asked = { to: number; data?: string; block?: number; estimate?: boolean };

async function ask(calls: Calls, { to, data = '', block, estimate = false }: Asked): Promise<bigint[]> {
  const question: CallQuestion = {
    ...{ from: null, to: BigInt(to), value: 0n, data: Buffer.from(data, 'hex'), gas: 1_000_000, paysValue: false },
    ...{ estimate, block: block === undefined ? null : { number: BigInt(block) }, overrides: [] },
  };
  const found = await calls.ask(question);
  if (found.kind === 'estimated') return [BigInt(found.gas)];
  if (found.kind !== 'finished') throw new Error(found.kind);
  expect(found.run.status).toBe('SUCCESS');
  const words = Buffer.from(found.run.output).toString('hex').match(/.{64}/g) ?? [];
  return words.map((word) => BigInt(`0x${word}`));
}

const totalSupply = { to: token, data: '18160ddd' };
const balanceOf = { to: token, data: `70a08231${account.toString(16).padStart(64, '0')}` };

it.each([
  ['a watch', true],
  ['no watch', false],
])('answers as of one block while others come, with %s', async (name, isWatched) => {
  const watch = isWatched ? await startWatch() : undefined;
  const calls = start(watch);
  const pick = createSeededRandom('brief calls', name).below;
  for (let round = 0; round < 25; round++) {
    const asks = Array.from({ length: 8 }, async () => {
      await pause(pick(6));
      // What the watch has heard of is not older than what it confirmed.
      const known = watch ? (watch.state.newestEnd ?? 0n) : startOf(newest);
      const past = pick(4) === 0 ? 1 + pick(newest) : null;
      const to = pick(5) === 0 ? longContract : contract;
      const kind = pick(3);
      const [first, other] =
        past !== null || kind === 0
          ? await ask(calls, { to, ...(past === null ? {} : { block: past }) })
          : await ask(calls, kind === 1 ? totalSupply : balanceOf);
      if (past !== null) expect([first, other]).toEqual([BigInt(past), BigInt(past)]);
      else {
        if (kind === 0) expect(other).toBe(first);
        expect(startOf(Number(first)) + second).toBeGreaterThanOrEqual(known);
      }
    });
    await pause(pick(6));
    await addBlock();
    await Promise.all(asks);
  }
});

it('answers what a server answers that has just begun', async () => {
  const watch = await startWatch();
  const calls = start(watch);
  for (let round = 0; round < 4; round++) {
    await addBlock();
    await vi.waitUntil(() => watch.state.newestEnd === startOf(newest) + second);
    const fresh = start();
    const questions: Asked[] = [
      ...[totalSupply, balanceOf, { to: contract }, { to: longContract }, { to: account }],
      ...[
        { to: contract, block: newest },
        { to: contract, block: newest - 1 },
        { ...totalSupply, block: newest - 1 },
      ],
      ...[
        { ...balanceOf, estimate: true },
        { to: contract, estimate: true },
      ],
    ];
    for (const question of [...questions, ...questions]) {
      expect(await ask(calls, question)).toEqual(await ask(fresh, question));
    }
    expect(await ask(calls, balanceOf)).toEqual([BigInt(newest)]);
  }
});

it('hears of what changes without a block', async () => {
  const watch = await startWatch();
  const calls = start(watch);
  expect(await ask(calls, totalSupply)).toEqual([BigInt(newest)]);
  const { epoch } = watch.state;
  await client.query('update token set total_supply = 77');
  await client.query(`notify ledger_mirror_block, ''`);
  await vi.waitUntil(() => watch.state.epoch > epoch);
  expect(await ask(calls, totalSupply)).toEqual([77n]);
});
