// What the libraries of Ethereum are asked about, and what REST says of it: every answer of theirs is compared with it.
import assert from 'node:assert/strict';
import { weibarPerTinybar } from '../../src/doors/rpc/terms/hex.ts';
import { readMirror } from './client-examples.ts';
import { askDirectly, callData, readContractExamples } from './example-contracts.ts';

export type RestLog = { address: string; data: string; topics: string[]; index: number };
type Fee = { gas: number; transaction_type: string };
type RestResult = {
  hash: string;
  block_number: number;
  transaction_index: number;
  from: string;
  to: string;
  gas_limit: number;
  gas_used: number;
  status: number;
  error_message: string | null;
  type: number;
  nonce: number | null;
  r: string | null;
  function_parameters: string;
  logs: RestLog[];
};

export type ToolFacts = {
  block: { number: bigint; hash: string; parentHash: string; gasUsed: bigint; timestamp: bigint; hashes: string[] };
  /** A call of `increment()` that ran, and the address of its sender. */
  call: RestResult & { sender: string };
  /** An Ethereum transaction, and its sender. */
  signed: RestResult & { sender: string };
  /** Of the counter: `value` is what it stores at slot 0. */
  counter: { id: string; address: string; code: string; value(): Promise<bigint> };
  coin: { id: string; address: string; supply(): Promise<bigint> };
  /** Of an account, as REST has them now. */
  account: { address: string; weibar(): Promise<bigint>; nonce(): Promise<number> };
  /** Of now, weibar. */
  gasPrice(): Promise<bigint>;
  newest(): Promise<bigint>;
  mirrorUrl: string;
};

const supplyCall = callData('totalSupply()');
/** Data of calls, and the topic of its event. */
export const ofCounter = {
  ...{ count: callData('count()'), increment: callData('increment()') },
  incremented: '0x38ac789ed44572701765277c4d0970f2db1c1a571ed39e84358095ae4eaa5420',
};

/** Throws until the ledger has one of each. */
export async function readToolFacts(mirrorUrl: string): Promise<ToolFacts> {
  const { counter, coin } = await readContractExamples(mirrorUrl);
  const call = await findResult(
    mirrorUrl,
    `/contracts/${counter.contract_id}/results?limit=100`,
    ({ function_parameters: data, error_message: failure }) => data === ofCounter.increment && failure === null,
  );
  const signed = await findResult(mirrorUrl, '/contracts/results?limit=100', ({ r, type }) => r !== null && type > 0);
  const number = call.block_number;
  type Block = { hash: string; previous_hash: string; gas_used: number; timestamp: { from: string } };
  const block = await readMirror<Block>(mirrorUrl, `/blocks/${number}`);
  const { results } = await readMirror<{ results: RestResult[] }>(
    mirrorUrl,
    `/contracts/results?block.number=${number}&limit=100&order=asc`,
  );
  const accountOf = (address: string) =>
    readMirror<{ evm_address: string; balance: { balance: number }; ethereum_nonce: number }>(
      mirrorUrl,
      `/accounts/${address}?transactions=false`,
    );
  const word = async (to: string, data: string): Promise<bigint> => {
    const { result } = await askDirectly(mirrorUrl, { to, data });
    return BigInt(result!);
  };
  const sender = (await accountOf(signed.from)).evm_address;
  return {
    block: {
      ...{ number: BigInt(number), hash: block.hash.slice(0, 66), parentHash: block.previous_hash.slice(0, 66) },
      ...{ gasUsed: BigInt(block.gas_used), timestamp: BigInt(block.timestamp.from.split('.')[0]!) },
      hashes: results.map(({ hash }) => hash.slice(0, 66)),
    },
    call: { ...call, sender: (await accountOf(call.from)).evm_address },
    signed: { ...signed, sender },
    counter: {
      ...{ id: counter.contract_id, address: counter.evm_address, code: counter.runtime_bytecode },
      value: () => word(counter.evm_address, ofCounter.count),
    },
    coin: { id: coin.contract_id, address: coin.evm_address, supply: () => word(coin.evm_address, supplyCall) },
    account: {
      address: sender,
      weibar: async () => BigInt((await accountOf(sender)).balance.balance) * weibarPerTinybar,
      nonce: async () => (await accountOf(sender)).ethereum_nonce,
    },
    async gasPrice() {
      const { fees } = await readMirror<{ fees: Fee[] }>(mirrorUrl, '/network/fees');
      return BigInt(fees.find((one) => one.transaction_type === 'EthereumTransaction')!.gas) * weibarPerTinybar;
    },
    newest: async () =>
      BigInt((await readMirror<{ blocks: { number: number }[] }>(mirrorUrl, '/blocks?limit=1')).blocks[0]!.number),
    mirrorUrl,
  };
}

async function findResult(mirrorUrl: string, path: string, isWanted: (one: RestResult) => boolean) {
  for (let next: string | null = path; next; ) {
    const page: { results: RestResult[]; links: { next: string | null } } = await readMirror(mirrorUrl, next);
    const found = page.results.find(isWanted);
    if (found) return readMirror<RestResult>(mirrorUrl, `/contracts/results/${found.hash}`);
    next = page.links.next?.replace(/^.*\/api\/v1/, '') ?? null;
  }
  throw new Error(`${path} has no result that is wanted yet`);
}

/**
 * What both say, where the ledger goes on meanwhile: REST is asked before and after, and again where it changed.
 * Throws where they differ.
 */
export async function compareNow<T>(rest: () => Promise<T>, tool: () => Promise<T>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await rest();
    const found = await tool();
    const after = await rest();
    if (found === before || found === after) return;
    if (before === after || attempt === 10) throw new Error(`${String(found)}, and REST says ${String(after)}`);
  }
}

/** The same value for every block. */
export async function compareFees(facts: ToolFacts, list: () => Promise<readonly bigint[]>): Promise<void> {
  await compareNow(facts.gasPrice, async () => {
    const [first, ...others] = await list();
    assert.ok(others.length === 4 && others.every((one) => one === first), `${first}, ${others.join()}`);
    return first!;
  });
}

/** A log of REST as any library has it. */
export function sameLog(log: RestLog) {
  return { address: log.address.toLowerCase(), data: log.data, topics: log.topics };
}

/** Logs of `increment()` in a range of blocks, by REST: `[block, hash, data]`, oldest first. */
export async function readIncrements({ counter, mirrorUrl }: ToolFacts, until: bigint): Promise<string[]> {
  const found: string[] = [];
  type Log = RestLog & { block_number: number; transaction_hash: string };
  const first = `/contracts/${counter.id}/results/logs?limit=100&order=asc&timestamp=gt:0`;
  for (let path: string | null = first; path; ) {
    const page: { logs: Log[]; links: { next: string | null } } = await readMirror(mirrorUrl, path);
    for (const one of page.logs) {
      if (one.topics[0] !== ofCounter.incremented || BigInt(one.block_number) > until) continue;
      found.push(`${one.block_number} ${one.transaction_hash.slice(0, 66)} ${one.data}`);
    }
    path = page.links.next?.replace(/^.*\/api\/v1/, '') ?? null;
  }
  return found;
}
