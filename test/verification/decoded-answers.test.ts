// Results, logs and actions of the simulated network's contracts with `decode=true`, compared with what ethers reads in
// the same bytes by the compiler's ABI; and that without it, and in the other dialect, nothing is there.
import { Interface } from 'ethers/abi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { toLongZeroAddress } from '../../packages/protocol/hapi/evm-address.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import type { Verifier } from '../../packages/verification/create-verifier.ts';
import { createContractAbis } from '../../src/contracts/abi/create-contract-abis.ts';
import { claimOf, createKeepingVerifier, createSourceOracle, importContracts, openSearch } from './ledger-sources.ts';

type Value = { name: string; type: string; value: string | Value[] };
type Call = { name: string; signature: string; arguments: Value[] };
// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests say
type Answer = any;

let scratch: ScratchDatabase;
let db: Database;
let verifier: Verifier;
let spec: ReturnType<typeof openServer>;
let hiero: ReturnType<typeof openServer>;
let abis: ReturnType<typeof createContractAbis>;
let lookups = 0;
/** `File:Name` by packed id. */
const names = new Map<string, string | null>();
let coin: Interface;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  await importContracts(scratch.connectionString, 'decoded 1', 40);
  db = openDatabase(scratch);
  verifier = createKeepingVerifier();
  const { archive, onchain, verified, ...search } = openSearch(db, verifier);
  abis = createContractAbis({ archive, onchain, verified, turn: () => 0 });
  const counted: typeof abis = {
    ...abis,
    find(contract) {
      lookups += 1;
      return abis.find(contract);
    },
  };
  spec = openServer(db, 'spec', { abis: counted });
  hiero = openServer(db, 'hiero', { abis: counted });
  const nameOf = await createSourceOracle();
  const rows = await db.query<{ id: bigint; runtimeBytecode: Buffer }>({
    name: 'contracts',
    reads: true,
    text: 'select id, runtime_bytecode from contract order by id',
  });
  for (const { id, runtimeBytecode } of rows) names.set(`0.0.${id}`, nameOf(runtimeBytecode));
  for (const file of ['Coin', 'Reverter'] as const) {
    const { id } = rows.find((row) => names.get(`0.0.${row.id}`) === `${file}:${file}`)!;
    await search.check(`0x${toLongZeroAddress(id).toString('hex')}`, claimOf(file));
    if (file === 'Coin') coin = await interfaceOf(id);
  }
});
afterAll(async () => {
  await spec.close();
  await hiero.close();
  await db.close();
  await scratch.close();
  await verifier.close();
});

async function interfaceOf(id: bigint): Promise<Interface> {
  const [row] = await db.query<{ abi: string }>({
    name: 'abi',
    reads: true,
    text: `select (compilation_artifacts->'abi')::text as abi from verification_compilation c
      join verified_contract v on v.compilation_id = c.id where v.address = $1`,
    values: [toLongZeroAddress(id)],
  });
  return new Interface(row!.abi);
}

async function ask(server: typeof spec, url: string): Promise<{ status: number; text: string; body: Answer }> {
  const { statusCode, body } = await server.inject({ method: 'GET', url });
  return { status: statusCode, text: body, body: JSON.parse(body) };
}

const texts = (call: Call | null | undefined) => call?.arguments.map(({ value }) => value);
const isCoin = ({ contract_id: id }: { contract_id: string }) => names.get(id) === 'Coin:Coin';

describe('in the dialect spec', () => {
  it('results have the call, what it returned, and what it reverted with', async () => {
    const { body } = await ask(spec, '/api/v1/contracts/results?limit=100&decode=true&internal=true');
    let calls = 0;
    let reverts = 0;
    for (const result of body.results as Answer[]) {
      if (!isCoin(result)) continue;
      const { function_parameters: input, decoded, call_result: output } = result;
      const parsed = input.length >= 10 ? coin.parseTransaction({ data: input }) : null;
      if (!parsed || result.created_contract_ids.includes(result.contract_id)) continue;
      calls += 1;
      expect(decoded.function_parameters).toMatchObject({ name: parsed.name, signature: parsed.signature });
      expect(texts(decoded.function_parameters)).toEqual(parsed.args.toArray().map(String));
      if (result.result === 'SUCCESS') {
        const values = coin.decodeFunctionResult(parsed.fragment, output).toArray().map(String);
        expect(texts(decoded.call_result)).toEqual(values);
        expect(decoded.error).toBeNull();
      } else if (result.error_message?.startsWith('0x')) {
        reverts += 1;
        const error = coin.parseError(result.error_message)!;
        expect(decoded.error).toMatchObject({ signature: error.signature });
        expect(texts(decoded.error)).toEqual(error.args.toArray().map(String));
      }
    }
    expect(calls).toBeGreaterThan(5);
    expect(reverts).toBeGreaterThanOrEqual(0);
    const [one] = (body.results as Answer[]).filter(isCoin);
    const own = await ask(spec, `/api/v1/contracts/${one.contract_id}/results?decode=true&limit=100`);
    const same = own.body.results.find(({ timestamp }: Answer) => timestamp === one.timestamp);
    expect(same.decoded).toEqual(one.decoded);
  });

  it('logs have their event, in lists and in their result', async () => {
    const { body } = await ask(spec, '/api/v1/contracts/results/logs?limit=100&decode=true');
    const logs = (body.logs as Answer[]).filter(isCoin);
    expect(logs.length).toBeGreaterThan(3);
    for (const { topics, data, decoded } of logs) {
      const parsed = coin.parseLog({ topics, data })!;
      expect(decoded).toMatchObject({ name: parsed.name, signature: parsed.signature });
      expect(texts(decoded)).toEqual(parsed.args.toArray().map(String));
    }
    for (const log of body.logs as Answer[]) {
      if (!isCoin(log) && names.get(log.contract_id) !== 'Reverter:Reverter') expect(log.decoded).toBeNull();
    }
    const [log] = logs;
    const one = await ask(spec, `/api/v1/contracts/${log.contract_id}/results/${log.timestamp}?decode=true`);
    const byHash = await ask(spec, `/api/v1/contracts/results/${log.transaction_hash}?decode=true`);
    for (const { status, body: result } of [one, byHash]) {
      expect(status).toBe(200);
      const inResult = result.logs.find((other: Answer) => other.index === log.index);
      expect(inResult.decoded).toEqual(log.decoded);
    }
    const actions = await ask(spec, `/api/v1/contracts/results/${log.transaction_hash}/actions?decode=true`);
    for (const action of actions.body.actions as Answer[]) {
      if (names.get(action.recipient) !== 'Coin:Coin' || action.call_type !== 'CALL') continue;
      expect(action.decoded.input.signature).toBe(coin.parseTransaction({ data: action.input })!.signature);
    }
    const ofContract = await ask(spec, `/api/v1/contracts/${log.contract_id}/results/logs?decode=true&limit=5`);
    expect(ofContract.body.logs[0].decoded).not.toBeNull();
    expect(ofContract.body.links.next ?? 'decode=true').toContain('decode=true');
  });

  it('nothing is looked up, and nothing is there, unless it is asked for', async () => {
    const before = lookups;
    for (const query of ['', '?decode=false']) {
      for (const path of ['contracts/results', 'contracts/results/logs']) {
        const { text, status } = await ask(spec, `/api/v1/${path}${query}`);
        expect([status, text.includes('decoded')]).toEqual([200, false]);
      }
    }
    expect(lookups).toBe(before);
    expect((await ask(spec, '/api/v1/contracts/results?decode=maybe')).status).toBe(400);
  });
});

it('in the dialect hiero the parameter is unknown, as any other name', async () => {
  const before = lookups;
  for (const path of ['contracts/results', 'contracts/results/logs', 'contracts/0.0.1015/results']) {
    const { status, text } = await ask(hiero, `/api/v1/${path}?decode=true`);
    const other = await ask(hiero, `/api/v1/${path}?decodf=true`);
    expect([status, text]).toEqual([other.status, other.text.replaceAll('decodf', 'decode')]);
    expect(status).toBe(400);
  }
  expect(lookups).toBe(before);
});
