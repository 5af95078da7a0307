// What of a mirror Ethereum clients ask about, read over REST.
import { readMirror } from './client-examples.ts';
import type { ClientContext } from './outside-client.ts';

export type ChainExamples = {
  block: { number: bigint; hash: string };
  /** An execution with logs. */
  hash: string;
  /** How many calls the network recorded of it, and its receiver. */
  trace: { calls: number; to: string };
  log: { address: string; data: string; topics: string[]; block: bigint };
  account: { address: string; weibar: bigint };
  token: { address: string; symbol: string };
  contract: { address: string; code: string };
};

type Log = { address: string; data: string; topics: string[]; block_number: number; transaction_hash: string };

export async function readChainExamples({ mirrorUrl, examples }: ClientContext): Promise<ChainExamples> {
  const { logs } = await readMirror<{ logs: Log[] }>(mirrorUrl, '/contracts/results/logs?limit=100');
  const { results } = await readMirror<{ results: { hash: string; gas_limit: number }[] }>(
    mirrorUrl,
    '/contracts/results?limit=100',
  );
  const executed = new Set(results.filter(({ gas_limit }) => gas_limit > 0).map(({ hash }) => hash));
  const log = logs.find(({ transaction_hash }) => executed.has(transaction_hash));
  if (!log) throw new Error('No execution has logs yet');
  const { contract, token, account, block } = examples;
  const { runtime_bytecode } = await readMirror<{ runtime_bytecode: string }>(
    mirrorUrl,
    `/contracts/${contract.contract_id}`,
  );
  const { actions } = await readMirror<{ actions: { to: string }[] }>(
    mirrorUrl,
    `/contracts/results/${log.transaction_hash}/actions?limit=100`,
  );
  return {
    trace: { calls: actions.length, to: actions[0]!.to },
    block: { number: BigInt(block.number), hash: block.hash.slice(0, 66) },
    hash: log.transaction_hash.slice(0, 66),
    log: { address: log.address, data: log.data, topics: log.topics, block: BigInt(log.block_number) },
    account: { address: account.evm_address, weibar: BigInt(account.balance.balance) * 10n ** 10n },
    token: {
      address: `0x${BigInt(token.token_id.split('.')[2]!).toString(16).padStart(40, '0')}`,
      symbol: token.symbol,
    },
    contract: { address: contract.evm_address, code: runtime_bytecode },
  };
}

/** Identities of all logs of blocks until this one, by REST, oldest first. */
export async function readLogsUntil(mirrorUrl: string, newest: number): Promise<string[]> {
  const found: Log[] = [];
  for (let path: string | null = '/contracts/results/logs?limit=100&order=asc&timestamp=gt:0'; path; ) {
    const page: { logs: Log[]; links: { next: string | null } } = await readMirror(mirrorUrl, path);
    found.push(...page.logs);
    path = page.links.next?.replace(/^.*\/api\/v1/, '') ?? null;
  }
  const own = found.filter(({ block_number }) => block_number <= newest);
  return own.map((log) => identify(log.block_number, log.transaction_hash, log.address, log.topics, log.data));
}

/** As text, for logs of any client. */
export function identify(block: unknown, hash: string, address: string, topics: readonly string[], data: string) {
  return [String(block), hash.slice(0, 66), address.toLowerCase(), ...topics, data].join(' ');
}

/** The recorded calls of a trace, itself included. */
export function countCalls({ calls = [] }: { calls?: readonly object[] }): number {
  return calls.reduce((sum: number, one) => sum + countCalls(one), 1);
}

/** Throws unless each comes once and in order. */
export function assertInOrder(numbers: readonly bigint[]): void {
  const at = numbers.findIndex((number, place) => place > 0 && number !== numbers[place - 1]! + 1n);
  if (at >= 0) throw new Error(`After block ${numbers[at - 1]} came ${numbers[at]}`);
}
