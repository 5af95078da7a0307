// A simulated ledger, imported and served with every port: what JSON-RPC, gRPC and live feeds say is what REST says.
import { type Client, credentials, makeClientConstructor } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseExactJson } from '../../packages/store/read/parse-exact-json.ts';
import { openImported } from '../../packages/test-support/ledgers/open-imported.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { loadDefinitions, toService } from '../../src/doors/grpc/definitions.ts';
import type { RunningServer } from '../../src/runtime/serve/start-server.ts';
import { serveHere } from '../support/program/serve-here.ts';
import { checkChain } from './check-chain.ts';
import { checkToolRequests } from './tool-requests.ts';

type Json = ReturnType<typeof JSON.parse>;

const blocks = 40;
let scratch: ScratchDatabase;
let server: RunningServer;
let rpcUrl: string;
let grpcAddress: string;

beforeAll(async () => {
  const more = { seed: 'doors', blocks, transactionsPerBlock: 60 };
  scratch = await (await openImported(more)).openDatabase();
  const flags = [
    '--rpc-port',
    '0',
    '--grpc-port',
    '0',
    '--status-service',
    'off',
    '--limit-max',
    '1000',
    '--opcode-rate',
    '1000',
  ];
  server = await serveHere(scratch.connectionString, flags);
  const placeOf = (name: string) =>
    server.places.find((place) => place.startsWith(`${name}: `))!.slice(name.length + 2);
  rpcUrl = placeOf('JSON-RPC and web sockets');
  grpcAddress = placeOf('gRPC');
});
afterAll(async () => {
  await server?.close();
  await scratch?.close();
});

async function ask(method: string, ...params: unknown[]): Promise<Json> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = (await (
    await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  ).json()) as Json;
  if (answer.error) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
  return answer.result;
}

/** Integers are exact. */
const get = async (path: string): Promise<Json> => parseExactJson(await (await fetch(`${server.url}${path}`)).text());
const cut = (hash: string): string => hash.slice(0, 66);
const seconds = (timestamp: string): number => Number(timestamp.split('.')[0]);

const undone = 'REVERTED_SUCCESS';

describe('JSON-RPC', () => {
  it('says of blocks and their transactions what REST says', async () => {
    const { blocks: listed } = await get('/api/v1/blocks?order=asc&limit=100');
    expect(listed).toHaveLength(blocks);
    let ran = 0;
    for (const block of listed) {
      const found = await ask('eth_getBlockByNumber', `0x${block.number.toString(16)}`, true);
      expect(found).toMatchObject({
        ...{
          hash: cut(block.hash),
          parentHash: cut(block.previous_hash),
          timestamp: `0x${seconds(block.timestamp.from).toString(16)}`,
        },
        ...{ gasUsed: `0x${block.gas_used.toString(16)}`, number: `0x${block.number.toString(16)}` },
      });
      const path = `/api/v1/contracts/results?timestamp=gte:${block.timestamp.from}&timestamp=lte:${block.timestamp.to}&limit=1000`;
      const { results } = await get(path);
      // What was refused before it ran, or undone with its batch, is in no block.
      const isThere = ({ gas_limit, gas_used, result }: Json) =>
        result !== undone && (gas_limit === 0n || gas_used > 0n);
      const own = found.transactions.map(({ hash }: Json) => hash);
      for (const one of results) {
        if (isThere(one)) expect(own).toContain(cut(one.hash));
        if (one.result === undone) expect(own).not.toContain(cut(one.hash));
      }
      expect(await ask('eth_getBlockByHash', found.hash, true)).toEqual(found);
      const receipts = await ask('eth_getBlockReceipts', found.hash);
      expect(receipts.map(({ transactionHash }: Json) => transactionHash)).toEqual(own);
      const logs = receipts.flatMap((receipt: Json) => receipt.logs);
      expect(await ask('eth_getLogs', { blockHash: found.hash })).toEqual(logs);
      ran += own.length;
    }
    expect(ran).toBeGreaterThan(0);
  });

  it('says of single executions what REST says', async () => {
    const { results } = await get('/api/v1/contracts/results?order=asc&limit=1000');
    const executed = results.filter(({ gas_limit }: Json) => gas_limit > 0);
    expect(executed.length).toBeGreaterThan(0);
    let [refused, creations] = [0, 0];
    const constructed = { whole: 0, joined: 0, called: 0 };
    for (const { hash } of executed) {
      const detail = await get(`/api/v1/contracts/results/${hash}?hbar=false`);
      const [transaction, receipt] = [
        await ask('eth_getTransactionByHash', cut(hash)),
        await ask('eth_getTransactionReceipt', cut(hash)),
      ];
      if (detail.transaction_index === null || detail.result === undone) {
        refused += 1;
        expect([transaction, receipt]).toEqual([null, null]);
        const { error } = await ask('debug_traceTransaction', cut(hash), { tracer: 'callTracer' });
        expect(error).toBe(detail.result);
        continue;
      }
      expect(transaction).toMatchObject({
        hash: cut(detail.hash),
        gas: `0x${detail.gas_limit.toString(16)}`,
      });
      const { function_parameters: given, contract_id: of } = detail;
      const isCreation = transaction.to === null && transaction.r === '0x0';
      const made = isCreation && of !== null ? (await get(`/api/v1/contracts/${of}`)).bytecode : null;
      const code = made ?? (isCreation ? detail.failed_initcode : null) ?? '0x';
      // Sidecars hold the code with its arguments, files hold it without.
      const isWhole = code.endsWith(given.slice(2));
      expect(transaction.input).toBe(isCreation && isWhole ? code : `${code}${given.slice(2)}`);
      constructed[isCreation ? (isWhole ? 'whole' : 'joined') : 'called'] += 1;
      expect(BigInt(transaction.value)).toBe(BigInt(detail.amount ?? 0));
      expect([receipt.status, BigInt(receipt.gasUsed)]).toEqual([
        `0x${BigInt(detail.status)}`,
        BigInt(detail.gas_used ?? 0),
      ]);
      expect(receipt.logs.map(({ data, topics }: Json) => [data, topics])).toEqual(
        detail.logs.map(({ data, topics }: Json) => [data, topics]),
      );
      const trace = await ask('debug_traceTransaction', cut(hash), { tracer: 'callTracer' });
      const { actions } = await get(`/api/v1/contracts/results/${hash}/actions?limit=1000`);
      const calls = flatten(trace.calls, 1);
      const kept = (action: Json) => [Number(action.call_depth), action.result_data_type !== 'OUTPUT'];
      expect(calls.map(({ depth, error }) => [depth, error !== undefined])).toEqual(actions.slice(1).map(kept));
      const paths = await ask('trace_transaction', cut(hash));
      expect(paths.map(({ traceAddress, error }: Json) => [traceAddress.length, error !== undefined])).toEqual([
        [0, trace.error !== undefined],
        ...calls.map(({ depth, error }) => [depth, error !== undefined]),
      ]);
      for (const { type, to, input, error } of calls) {
        if (!type.startsWith('CREATE') || error || to === null) continue;
        const made = await get(`/api/v1/contracts/${to}`);
        // Without its code in a sidecar REST has what the Ethereum transaction called with, as the mirror node has it.
        if (!made.bytecode || made.bytecode === detail.function_parameters) continue;
        expect(input).toBe(made.bytecode);
        creations += 1;
      }
    }
    expect(refused).toBeGreaterThan(0);
    expect(creations).toBeGreaterThan(0);
    expect(Object.values(constructed).every((count) => count > 0)).toBe(true);
  });

  it('lists opcodes of executions that are run again: the state before each, REST has the state after it', async () => {
    const { results } = await get('/api/v1/contracts/results?order=asc&limit=1000');
    const executed = results.filter(({ gas_limit }: Json) => gas_limit > 0);
    let listed = 0;
    for (const { hash, gas_used: used } of executed.filter((_: Json, at: number) => at % 8 === 0)) {
      const trace = await ask('debug_traceTransaction', cut(hash), { enableMemory: true });
      if (!used) {
        expect(trace).toEqual({ gas: 0, failed: false, returnValue: '', structLogs: [] });
        continue;
      }
      const rest = await get(`/api/v1/contracts/results/${hash}/opcodes?memory=true&storage=false`);
      expect({ ...trace, structLogs: [] }).toEqual({
        ...{ gas: Number(rest.gas), failed: rest.failed, returnValue: rest.return_value.slice(2), structLogs: [] },
      });
      // Calls of precompiles and system contracts have entries there, and none as opcodes.
      const opcodes = rest.opcodes.filter(({ pc, stack, op }: Json) => pc > 0n || stack.length > 0 || op === 'STOP');
      expect(trace.structLogs.map(({ op }: Json) => op)).toEqual(opcodes.map(({ op }: Json) => op));
      const left = ({ depth, gas }: Json) => [Number(depth) + 1, Number(gas)];
      const leaves = ({ depth, gas, gasCost }: Json) => [depth, Math.max(0, gas - gasCost)];
      expect(trace.structLogs.map(leaves)).toEqual(opcodes.map(left));
      // What one left the next one finds, unless a call is between.
      const goesOn = ({ op, depth }: Json, at: number) => !/CALL|CREATE/.test(op) && depth === opcodes[at + 1]?.depth;
      const places = opcodes.flatMap((one: Json, at: number) => (goesOn(one, at) ? [at] : []));
      const digits = (items: string[]) => items.map((item) => item.slice(2).padStart(64, '0'));
      expect(
        places.map((at: number) => trace.structLogs[at + 1]).map(({ pc, stack, memory }: Json) => [pc, stack, memory]),
      ).toEqual(
        places
          .map((at: number) => opcodes[at])
          .map(({ pc, stack, memory }: Json) => [Number(pc), digits(stack), digits(memory)]),
      );
      listed += trace.structLogs.length;
    }
    expect(listed).toBeGreaterThan(100);
  });

  it('has the state before executions, of a block as of each', async () => {
    const { results } = await get('/api/v1/contracts/results?order=asc&limit=1000');
    const accountAt = (at: string) => get(`/api/v1/accounts/${at}?transactions=false`);
    const nanos = (timestamp: string): bigint => BigInt(timestamp.replace('.', ''));
    let slots = 0;
    const ofBlocks = new Map<bigint, Json[]>();
    const executed = results.filter(({ gas_limit }: Json) => gas_limit > 0);
    for (const { hash, gas_used: used, block_number } of executed.filter((_: Json, at: number) => at % 8 === 0)) {
      const detail = await get(`/api/v1/contracts/results/${hash}`);
      const states = await ask('debug_traceTransaction', cut(hash), { tracer: 'prestateTracer' });
      ofBlocks.set(block_number, [...(ofBlocks.get(block_number) ?? []), { txHash: cut(hash), result: states }]);
      if (!used) {
        expect(states).toEqual({});
        continue;
      }
      expect(states[(await accountAt(detail.from)).evm_address]).toMatchObject({ code: '0x', storage: {} });
      for (const { address, contract_id, slot, value_read } of detail.state_changes) {
        // What was not there has no state: a contract, or an account that a transfer to its address created just
        // before.
        const { created_timestamp: created } = await accountAt(contract_id);
        const isNew = nanos(created) > nanos(detail.timestamp) - 1000n;
        const state = states[address];
        expect([address, state === undefined]).toEqual([address, isNew]);
        if (isNew) continue;
        expect([slot, state.storage[slot]]).toEqual([slot, value_read]);
        // An account may become code's by the transaction itself (EIP-7702).
        if (Number(detail.type) !== 4) expect(state.code.length).toBeGreaterThan(2);
        slots += 1;
      }
      const top = await ask('debug_traceTransaction', cut(hash), {
        ...{ tracer: 'prestateTracer', tracerConfig: { onlyTopCall: true } },
      });
      expect(Object.keys(top).length).toBeLessThanOrEqual(2);
      expect(states).toMatchObject(top);
    }
    expect(slots).toBeGreaterThan(0);
    for (const [number, expected] of [...ofBlocks].slice(0, 3)) {
      const traces = await ask('debug_traceBlockByNumber', `0x${number.toString(16)}`, { tracer: 'prestateTracer' });
      for (const one of expected) expect(traces).toContainEqual(one);
    }
  });

  it('sends a trace compressed, and expanded to a client that does not take that', async () => {
    const { results } = await get('/api/v1/contracts/results?order=asc&limit=1000');
    const { hash } = results.find(({ gas_used }: Json) => gas_used > 0n);
    const request = { jsonrpc: '2.0', id: 'a "name"', method: 'debug_traceTransaction', params: [cut(hash)] };
    const [plain, gzip] = await Promise.all(
      ['identity', 'br, gzip'].map((encoding) =>
        fetch(rpcUrl, {
          method: 'POST',
          body: JSON.stringify(request),
          headers: { 'content-type': 'application/json', 'accept-encoding': encoding },
        }),
      ),
    );
    expect(plain!.headers.get('content-encoding')).toBe(null);
    expect(gzip!.headers.get('content-encoding')).toBe('gzip');
    const text = await plain!.text();
    expect(plain!.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(await gzip!.text()).toBe(text);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: 'a "name"', result: { failed: false } });
  });

  it('tells one story of blocks, transactions, receipts and logs: every log of REST once', async () => {
    const { blocks: read, transactions, logs } = await checkChain(ask, { from: 0n, to: BigInt(blocks - 1) });
    expect(read).toBe(blocks);
    expect(transactions).toBeGreaterThan(100);
    const rest = (await get('/api/v1/contracts/results/logs?order=asc&limit=1000')).logs;
    expect(rest.length).toBeLessThan(1000);
    const place = ({ block_number, index, data, topics }: Json) => [Number(block_number), Number(index), data, topics];
    expect(
      logs.map(({ blockNumber, logIndex, data, topics }) => [Number(blockNumber), Number(logIndex), data, topics]),
    ).toEqual(rest.map(place));
  });

  it('answers what Foundry, The Graph, Blockscout, Otterscan, MetaMask and Hardhat ask, as their readers need it', async () => {
    const { results } = await get('/api/v1/contracts/results?order=asc&limit=1000');
    const { logs } = await get('/api/v1/contracts/results/logs?limit=1000');
    const executed = results.filter(({ gas_used }: Json) => gas_used > 0n).map(({ hash }: Json) => hash);
    const log = logs.find(({ transaction_hash }: Json) => executed.includes(transaction_hash));
    const { contracts } = await get('/api/v1/contracts?limit=100&order=asc');
    const { accounts } = await get('/api/v1/accounts?limit=1000');
    const found = await ask('eth_getBlockByNumber', `0x${log.block_number.toString(16)}`, false);
    const { evm_address: contract } = contracts.find(({ deleted }: Json) => !deleted);
    const holder = await findCoin(contracts);
    const whole: Json[] = [];
    for (let number = 0; number < 40; number++)
      whole.push(...(await ask('eth_getBlockByNumber', `0x${number.toString(16)}`, true)).transactions);
    const sent = whole.find(({ r }) => r !== '0x0');
    const receipts = await Promise.all(
      whole.filter(({ to }) => to === null).map(({ hash }) => ask('eth_getTransactionReceipt', hash)),
    );
    const made = receipts.find(({ contractAddress }) => contractAddress !== null);
    const counts = await checkToolRequests(
      {
        ...{ block: found, hash: cut(log.transaction_hash), contract },
        transfer: cut(logs.find(({ transaction_hash }: Json) => !executed.includes(transaction_hash)).transaction_hash),
        account: accounts.find(
          ({ balance, evm_address }: Json) => balance.balance > 10n ** 9n && !/^0x0{24}/.test(evm_address),
        ).evm_address,
        view: { to: holder, data: '0x18160ddd' },
        creation: { contract: made.contractAddress, hash: made.transactionHash },
        sent: { ...sent, nonce: Number(sent.nonce) },
      },
      ask,
    );
    expect(counts).toMatchObject({
      ...{ 'The Graph': 16, 'Blockscout, geth': 21, 'Blockscout, Erigon': 4, Otterscan: 15 },
    });
  });

  it('says of accounts and contracts what REST says', async () => {
    const { contracts } = await get('/api/v1/contracts?limit=100');
    for (const { contract_id, evm_address } of contracts) {
      const { runtime_bytecode, deleted } = await get(`/api/v1/contracts/${contract_id}`);
      expect(await ask('eth_getCode', evm_address, 'latest')).toBe(deleted ? '0x' : runtime_bytecode);
    }
    const { accounts } = await get('/api/v1/accounts?limit=1000');
    for (const { evm_address, balance } of accounts.filter(({ deleted }: Json) => !deleted)) {
      expect(BigInt(await ask('eth_getBalance', evm_address, 'latest'))).toBe(BigInt(balance.balance) * 10n ** 10n);
    }
  });

  it('has balances as of a block that differ by the transfers since', async () => {
    const { blocks } = await get('/api/v1/blocks?order=desc&limit=20');
    const { transactions } = await get(
      `/api/v1/transactions?timestamp=gt:${blocks[10].timestamp.to}&limit=1000&order=asc`,
    );
    const moved = new Map<string, bigint>();
    for (const { transfers } of transactions) {
      for (const { account, amount } of transfers) moved.set(account, (moved.get(account) ?? 0n) + BigInt(amount));
    }
    const named = [...moved].filter(([account]) => Number(account.split('.')[2]) > 1000).slice(0, 20);
    expect(named.length).toBeGreaterThan(5);
    for (const [account, change] of named) {
      const { evm_address, created_timestamp } = await get(`/api/v1/accounts/${account}?transactions=false`);
      if (created_timestamp > blocks[10].timestamp.to) continue;
      const now = BigInt(await ask('eth_getBalance', evm_address, 'latest'));
      const then = BigInt(await ask('eth_getBalance', evm_address, `0x${blocks[10].number.toString(16)}`));
      expect([account, now - then]).toEqual([account, change * 10n ** 10n]);
    }
  });
});

/** A contract with `totalSupply()`, whose selector compilers write as a constant. */
async function findCoin(contracts: Json[]): Promise<string> {
  for (const { contract_id, evm_address, deleted } of contracts) {
    const { runtime_bytecode } = await get(`/api/v1/contracts/${contract_id}`);
    if (!deleted && runtime_bytecode.includes('6318160ddd')) return evm_address;
  }
  throw new Error('No contract has a supply');
}

it('gRPC and the live feed give the messages of a topic as REST does', async () => {
  const message = (await get('/api/v1/transactions?transactiontype=CONSENSUSSUBMITMESSAGE&result=success&limit=1'))
    .transactions[0];
  const { messages } = await get(`/api/v1/topics/${message.entity_id}/messages?limit=1000`);
  expect(messages.length).toBeGreaterThan(0);
  const name = 'com.hedera.mirror.api.proto.ConsensusService';
  const client = new (makeClientConstructor(toService(loadDefinitions().service(name)), name))(
    grpcAddress,
    credentials.createInsecure(),
  );
  const query = {
    topicID: { topicNum: message.entity_id.split('.')[2] },
    consensusStartTime: { seconds: 1 },
    limit: messages.length,
  };
  const streamed: Json[] = [];
  for await (const one of (client as Json).subscribeTopic(query)) streamed.push(one);
  (client as unknown as Client).close();
  expect(
    streamed.map((one) => [
      BigInt(String(one.sequenceNumber)),
      one.message.toString('base64'),
      one.runningHash.toString('base64'),
    ]),
  ).toEqual(messages.map((one: Json) => [one.sequence_number, one.message, one.running_hash]));
  const stopping = new AbortController();
  const answer = await fetch(`${server.url}/api/v1/topics/${message.entity_id}/messages?follow=true&timestamp=gte:0`, {
    signal: stopping.signal,
  });
  let text = '';
  for await (const part of answer.body!) {
    text += Buffer.from(part).toString();
    if (text.split('\ndata: ').length > messages.length && text.endsWith('\n\n')) break;
  }
  stopping.abort();
  const followed = [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => parseExactJson(data!));
  expect(followed).toEqual(messages);
});

/** Calls of a trace in the order in which they began. */
function flatten(calls: readonly Json[], depth: number): Json[] {
  return calls.flatMap(({ calls: inner = [], ...call }) => [{ ...call, depth }, ...flatten(inner, depth + 1)]);
}
