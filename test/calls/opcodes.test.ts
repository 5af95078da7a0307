// GET contracts/results/{transactionIdOrHash}/opcodes over HTTP: what is refused and in which order, and what the list
// says of transactions of every kind.

import { gunzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { responseCode } from '../../packages/protocol/hapi/response-codes.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { openServer, unlimited } from '../../packages/test-support/http/open-server.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { type Calls, createCalls } from '../../src/calls/create-calls.ts';
import { measureCalls } from '../../src/runtime/serve/measure-calls.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

type Opcode = {
  depth: number;
  gas: number;
  gas_cost: number;
  memory: string[];
  op: string;
  pc: number;
  reason: string | null;
  stack: string[];
  storage: Record<string, string>;
};
type Trace = {
  address: string;
  contract_id: string | null;
  failed: boolean;
  gas: number;
  opcodes: Opcode[];
  return_value: string;
};
type Wanted = {
  at: bigint;
  hash: Buffer;
  payer: bigint;
  valid: bigint;
  contract: bigint | null;
  address: Buffer | null;
  consumed: bigint | null;
  output: Buffer | null;
  error: string | null;
};

let scratch: ScratchDatabase;
let db: Database;
let calls: Calls;
const registry = new Registry();
const servers: Record<'hiero' | 'spec' | 'off' | 'slow', ReturnType<typeof openServer>> = {} as never;
beforeAll(async () => {
  scratch = await openLedger('contracts');
  db = openDatabase(scratch);
  const basis = { db, system: usualRealm, network: { chainId: 298n } };
  calls = createCalls({ ...basis, limits: unlimited, ...measureCalls(registry) });
  servers.hiero = openServer(db, 'hiero', { calls });
  servers.spec = openServer(db, 'spec', { calls });
  servers.off = openServer(db, 'hiero', { calls, settings: { opcodeTraces: false } });
  servers.slow = openServer(db, 'hiero', { calls: createCalls(basis) });
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
  await calls?.close();
  await db?.close();
  await scratch?.close();
});

async function get(id: string, query = '', server: keyof typeof servers = 'hiero', headers = gzip) {
  const url = `/api/v1/contracts/results/${id}/opcodes${query}`;
  const response = await servers[server].inject({ method: 'GET', url, headers });
  return { status: response.statusCode, headers: response.headers, raw: response.rawPayload };
}
const gzip: Record<string, string> = { 'accept-encoding': 'gzip, deflate' };

async function trace(id: string, query = '', server: keyof typeof servers = 'hiero') {
  const { status, headers, raw } = await get(id, query, server);
  expect([status, headers['content-encoding'], headers['content-type']]).toEqual([200, 'gzip', 'application/json']);
  return { ...(JSON.parse(gunzipSync(raw).toString()) as Trace), rerun: headers['x-rerun'] };
}

async function refused(...asked: Parameters<typeof get>) {
  const { status, raw } = await get(...asked);
  return { status, body: JSON.parse(raw.toString()) as unknown };
}
const refusal = (status: number, message: string, detail: string) => ({
  status,
  body: { _status: { messages: [{ message, detail, data: '' }] } },
});

/** The first one, of those that one client sent. */
async function findResult(condition: string): Promise<Wanted> {
  const [found] = await db.query<Wanted>({
    name: `find ${condition}`,
    text: `select r.consensus_timestamp as at, r.transaction_hash as hash, t.payer_account_id as payer, t.valid_start_ns as valid,
  nullif(r.contract_id, 0) as contract, e.evm_address as address, r.gas_consumed as consumed, r.call_result as output, r.error_message as error
from contract_result r join transaction t using (consensus_timestamp) left join entity e on e.id = r.contract_id
where t.nonce = 0 and ${condition} order by 1 limit 1`,
  });
  if (!found) throw new Error(`The network made no result where ${condition}`);
  return found;
}

const ns = 1_000_000_000n;
const idOf = ({ payer, valid }: Pick<Wanted, 'payer' | 'valid'>) =>
  `0.0.${payer}-${valid / ns}-${`${valid % ns}`.padStart(9, '0')}`;
const hashOf = ({ hash }: Wanted) => hash.subarray(0, 32).toString('hex');
const isEthereum = 'exists (select from ethereum_transaction e where e.consensus_timestamp = r.consensus_timestamp)';
const plain = 'not t.scheduled and t.batch_key is null';
const ran = `r.gas_used > 0 and ${plain}`;
const succeeded = `r.transaction_result = 22 and ${ran}`;

describe('refuses', () => {
  const anything = '0'.repeat(64);
  const sentence = 'Accept-Encoding: gzip header is required';

  it('everything where the list is switched off, whatever is asked', async () => {
    expect(await refused('abc', '', 'off', {})).toEqual(refusal(404, 'Not Found', 'Not found'));
  });

  it('clients that do not take gzip, before it looks at the id', async () => {
    for (const server of ['hiero', 'spec'] as const) {
      expect(await refused('abc', '', server, {})).toEqual(refusal(400, 'Bad Request', sentence));
      for (const encoding of ['br', 'identity', '']) {
        const answer = await refused('abc', '', server, { 'accept-encoding': encoding });
        expect(answer).toEqual(refusal(406, 'Not Acceptable', sentence));
      }
    }
  });

  it('more than one a second', async () => {
    const first = await refused(anything, '', 'slow');
    expect(first).toEqual(refusal(404, 'Not Found', `Contract transaction hash not found: ${anything}`));
    const second = await refused('abc', '', 'slow');
    expect(second).toEqual(refusal(429, 'Too Many Requests', 'Requests per second rate limit exceeded'));
  });

  it('ids that are none, and parameters', async () => {
    for (const server of ['hiero', 'spec'] as const) {
      for (const id of ['abc', '0x12', '0.0.1001', `${anything}00`, '0.0.2-1-']) {
        const answer = await refused(id, '', server);
        expect(answer).toEqual(refusal(400, 'Bad Request', `Unsupported ID format: '${id}'`));
      }
      for (const query of ['?stack=maybe', '?memory=2', '?storage=yes']) {
        expect((await refused(anything, query, server)).status).toBe(400);
      }
    }
  });

  it('what is not there', async () => {
    const id = '0.0.1001-1586567700-453054000';
    expect(await refused(id)).toEqual(refusal(404, 'Not Found', `Transaction not found: ${id}`));
    const prefixed = `0x${anything}`;
    expect(await refused(prefixed)).toEqual(
      refusal(404, 'Not Found', `Contract transaction hash not found: ${prefixed}`),
    );
    const [transfer] = await db.query<Wanted>({
      name: 'a transfer',
      text: 'select payer_account_id as payer, valid_start_ns as valid from transaction where type = 14 and nonce = 0 limit 1',
    });
    const named = idOf(transfer!);
    expect(await refused(named)).toEqual(refusal(404, 'Not Found', `Contract result not found: ${named}`));
  });
});

describe('lists', () => {
  it('a transaction by its id and by its hash, in both dialects', async () => {
    const called = await findResult(`${succeeded} and t.type = 7 and length(r.call_result) > 0`);
    const shown = await trace(idOf(called));
    expect(Object.keys(shown)).toEqual([
      ...['address', 'contract_id', 'failed', 'gas', 'opcodes', 'return_value', 'rerun'],
    ]);
    expect(shown).toMatchObject({
      address: `0x${called.address?.toString('hex') ?? called.contract!.toString(16).padStart(40, '0')}`,
      contract_id: `0.0.${called.contract}`,
      failed: false,
      gas: Number(called.consumed),
      return_value: `0x${called.output!.toString('hex')}`,
      rerun: 'equal',
    });
    expect(shown.opcodes.length).toBeGreaterThan(50);
    for (const id of [hashOf(called), `0x${hashOf(called)}`]) expect(await trace(id)).toEqual(shown);
    expect(await trace(idOf(called), '', 'spec')).toEqual(shown);
  });

  it('an Ethereum transaction by its hash', async () => {
    const sent = await findResult(`${succeeded} and ${isEthereum} and length(r.call_result) > 0`);
    const shown = await trace(hashOf(sent));
    expect(shown).toMatchObject({ failed: false, rerun: 'equal', return_value: `0x${sent.output!.toString('hex')}` });
    expect(await trace(idOf(sent))).toEqual(shown);
  });

  it('what is asked for: the stack unless told otherwise, memory and storage only then', async () => {
    const called = await findResult(
      `${succeeded} and t.type = 7 and exists (select from contract_state_change s
         where s.consensus_timestamp = r.consensus_timestamp and s.value_written is not null)`,
    );
    const usual = await trace(idOf(called));
    const whole = await trace(idOf(called), '?stack=true&memory=true&storage=true');
    const bare = await trace(idOf(called), '?stack=false');
    expect(whole.opcodes.map((one) => ({ ...one, memory: [], storage: {} }))).toEqual(usual.opcodes);
    expect(bare.opcodes).toEqual(usual.opcodes.map((one) => ({ ...one, stack: [] })));
    for (const { depth, gas, gas_cost: cost, pc, op, stack, memory, storage, reason, ...more } of whole.opcodes) {
      expect(more).toEqual({});
      for (const number of [depth, gas, cost, pc]) expect(Number.isSafeInteger(number) && number >= 0).toBe(true);
      expect(op).toMatch(/^[A-Z][A-Z0-9]+$/);
      for (const item of stack) expect(item).toMatch(/^0x([0-9a-f]{2})+$/);
      for (const word of memory) expect(word).toMatch(/^0x[0-9a-f]{64}$/);
      for (const entry of Object.entries(storage).flat()) expect(entry).toMatch(/^0x[0-9a-f]{64}$/);
      expect(reason).toBeNull();
    }
    const written = await db.query<{ slot: Buffer; value: Buffer }>({
      name: 'written',
      text: 'select slot, value_written as value from contract_state_change where value_written is not null and consensus_timestamp = $1',
      values: [called.at],
    });
    const word = (bytes: Buffer) => `0x${bytes.toString('hex').padStart(64, '0')}`;
    const stored = Object.fromEntries(written.map(({ slot, value }) => [word(slot), word(value)]));
    expect(whole.opcodes.at(-1)!.storage).toEqual(stored);
    expect(Object.keys(whole.opcodes.at(-1)!.storage)).toEqual(Object.keys(stored).sort());
  });

  it('the state after each opcode', async () => {
    const called = await findResult(`${succeeded} and t.type = 7 and length(r.call_result) > 0`);
    const { opcodes, gas } = await trace(idOf(called), '?memory=true');
    const pushes = opcodes.filter(({ op }) => /^PUSH\d/.test(op));
    expect(pushes.length).toBeGreaterThan(10);
    const [first, second] = opcodes as [Opcode, Opcode];
    // Solidity begins with PUSH1 0x80 PUSH1 0x40 MSTORE.
    expect([first.op, first.pc, first.stack, first.gas_cost]).toEqual(['PUSH1', 2, ['0x80'], 3]);
    expect([second.pc, second.stack, second.gas]).toEqual([4, ['0x80', '0x40'], first.gas - 3]);
    const [, , third] = opcodes;
    expect([third!.op, third!.stack, third!.gas_cost, third!.memory[2]]).toEqual([
      'MSTORE',
      [],
      12,
      `0x${'80'.padStart(64, '0')}`,
    ]);
    const last = opcodes.at(-1)!;
    const limit = opcodes[0]!.gas + opcodes[0]!.gas_cost;
    expect(['RETURN', 'STOP']).toContain(last.op);
    for (const [at, one] of opcodes.entries()) {
      const before = at === 0 ? limit : opcodes[at - 1]!.gas;
      if (one.depth === 0 && (opcodes[at - 1]?.depth ?? 0) === 0) expect(one.gas).toBe(before - one.gas_cost);
    }
    // Without what the transaction itself costs, and refunds.
    expect(gas - (limit - last.gas)).toBeGreaterThanOrEqual(21_000 - 4800 * 5);
  });

  it('why a transaction failed', async () => {
    const reverted = await findResult(
      `r.transaction_result = 33 and ${ran} and length(r.error_message) > 2 and t.type = 7`,
    );
    const shown = await trace(idOf(reverted));
    expect(shown).toMatchObject({ failed: true, rerun: 'equal', return_value: reverted.error });
    expect(shown.opcodes.at(-1)).toMatchObject({ op: 'REVERT', depth: 0, reason: reverted.error });
    expect(shown.opcodes.slice(0, -1).every(({ depth, reason }) => depth > 0 || reason === null)).toBe(true);
    const halted = await findResult(`r.transaction_result = ${responseCode.CONTRACT_EXECUTION_EXCEPTION} and ${ran}`);
    const stopped = await trace(idOf(halted));
    expect(stopped).toMatchObject({ failed: true, rerun: 'equal', return_value: '0x' });
    const noGas = await findResult(`r.transaction_result = ${responseCode.INSUFFICIENT_GAS} and ${ran}`);
    expect(await trace(idOf(noGas))).toMatchObject({ failed: true, rerun: 'equal', gas: Number(noGas.consumed) });
  });

  it('calls, with those of system contracts and precompiles as one entry each', async () => {
    const kinds = { system: 4, precompile: 3 };
    for (const type of Object.values(kinds)) {
      const called = await findResult(
        `${succeeded} and exists (select from contract_action a where a.consensus_timestamp = r.consensus_timestamp
           and a.call_type = ${type} and a.call_depth = 1 and a.result_data_type = 11)`,
      );
      const actions = await db.query<{ depth: number; gas: bigint; used: bigint; operation: number }>({
        name: 'actions of a transaction',
        text: `select call_depth as depth, gas, gas_used as used, call_operation_type as operation from contract_action
          where consensus_timestamp = $1 and call_type = $2 order by index`,
        values: [called.at, type],
      });
      const { opcodes } = await trace(idOf(called), '?memory=true&storage=true');
      const entries = opcodes.filter(({ op, pc, stack }) => /CALL/.test(op) && pc === 0 && stack.length === 0);
      expect(entries.map(({ depth, gas, gas_cost: cost, op }) => [depth, BigInt(cost), BigInt(gas), op])).toEqual(
        actions.map(({ depth, gas, used, operation }) => [depth, used, gas - used, operations[operation]]),
      );
      for (const { memory, stack, storage } of entries) expect([memory, stack, storage]).toEqual([[], [], {}]);
    }
  });
  const operations: Record<number, string> = { 1: 'CALL', 2: 'CALLCODE', 3: 'DELEGATECALL', 4: 'STATICCALL' };

  it('creations: their address, and the code that they left', async () => {
    const made = await findResult(`${succeeded} and t.type = 8`);
    const [{ code } = { code: null }] = await db.query<{ code: Buffer }>({
      name: 'code',
      text: 'select runtime_bytecode as code from contract where id = $1',
      values: [made.contract],
    });
    expect(await trace(idOf(made))).toMatchObject({
      ...{ contract_id: `0.0.${made.contract}`, failed: false, rerun: 'equal' },
      return_value: `0x${code!.toString('hex')}`,
    });
    const failed = await findResult(`r.transaction_result = 33 and ${ran} and t.type = 8`);
    expect(await trace(idOf(failed))).toMatchObject({
      ...{ address: `0x${'0'.repeat(40)}`, contract_id: null, failed: true, rerun: 'equal' },
      return_value: failed.error,
    });
  });

  it('a contract that has been deleted since', async () => {
    const gone = await findResult(
      `${succeeded} and exists (select from entity d where d.id = r.contract_id and d.deleted and d.type = 'CONTRACT')`,
    );
    expect(await trace(idOf(gone))).toMatchObject({ rerun: 'equal', contract_id: `0.0.${gone.contract}` });
  });

  it('an account that runs the code of a contract', async () => {
    const delegated = await findResult(
      `${succeeded} and exists (select from entity a where a.id = r.contract_id and a.type = 'ACCOUNT' and a.delegation_address is not null)
       and exists (select from contract_log l where l.consensus_timestamp = r.consensus_timestamp)`,
    );
    const shown = await trace(idOf(delegated));
    expect([shown.rerun, shown.contract_id]).toEqual(['equal', `0.0.${delegated.contract}`]);
    expect(shown.opcodes.length).toBeGreaterThan(50);
  });

  it('nothing of what the network refused before it ran', async () => {
    const never = await findResult(`r.gas_used = 0 and r.transaction_result not in (22, 220) and ${plain}`);
    expect(await trace(idOf(never))).toMatchObject({
      rerun: 'not run',
      failed: true,
      gas: 0,
      opcodes: [],
      return_value: '0x',
    });
  });

  it('and counts whether they were equal', async () => {
    const metrics = await registry.metrics();
    const count = (result: string) =>
      Number(new RegExp(`ledger_mirror_reruns_total\\{result="${result}"\\} (\\d+)`).exec(metrics)![1]);
    expect(count('different')).toBe(0);
    const before = count('equal');
    const again = await findResult(succeeded);
    await trace(idOf(again));
    expect(await registry.metrics()).toContain(`ledger_mirror_reruns_total{result="equal"} ${before + 1}`);
  });
});
