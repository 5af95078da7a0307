// node scripts/run.mjs test/doors/run-chain.ts [--blocks <n>]: a mirror of a simulated network that goes on, asked over
// JSON-RPC: what it said of a settled block it says again after all the others, and blocks, transactions, receipts and
// logs are one story. Exit code 0 only then.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { runMirror } from '../support/program/run-mirror.ts';
import { checkChain } from './check-chain.ts';

const { values } = parseArgs({ options: { blocks: { type: 'string', default: '240' } } });
const wanted = BigInt(values.blocks);
const scratch = mkdtempSync(join(tmpdir(), 'ledger-mirror-chain-'));
const flags = ['--port', '0', '--rpc-port', '0', '--data-dir', join(scratch, 'data'), '--block-interval', '300'];
const mirror = runMirror(['start', ...flags], {});
const hex = (number: bigint): string => `0x${number.toString(16)}`;
let changed = 0;
try {
  const [, rpcUrl] = await mirror.says(/JSON-RPC and web sockets: (\S+)/);
  const ask = async (method: string, ...params: unknown[]) => {
    const answer = await fetch(rpcUrl!, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await answer.json()) as { result: unknown; error?: unknown };
    if (error) throw new Error(`${method} ${JSON.stringify(params)}: ${JSON.stringify(error)}`);
    return result;
  };
  const told = new Map<bigint, unknown>();
  const accounts = new Set<string>();
  const asked = new Map<bigint, string[]>();
  let first = await newest().catch(() => null);
  // There may be no block yet.
  for (; first === null; first = await newest().catch(() => null)) await sleep(300);
  for (let next = first; next < first + wanted; ) {
    if (next > (await newest())) await sleep(100);
    else {
      asked.set(next, [...accounts].slice(-3));
      told.set(next, await tell(next));
      next += 1n;
    }
  }
  for (const [number, before] of told) {
    const now = await tell(number);
    if (isDeepStrictEqual(now, before)) continue;
    changed += 1;
    console.log(`Block ${number} is told in another way: ${difference(before, now)}`);
  }
  const { blocks, transactions, logs } = await checkChain(ask, { from: first, to: first + wanted - 1n });
  console.log(`${blocks} blocks, ${transactions} transactions, ${logs.length} logs; ${changed} blocks changed`);

  async function newest(): Promise<bigint> {
    return BigInt((await ask('eth_blockNumber')) as string);
  }

  async function tell(number: bigint): Promise<unknown> {
    const at = hex(number);
    // biome-ignore lint/suspicious/noExplicitAny: an answer.
    const block = (await ask('eth_getBlockByNumber', at, true)) as any;
    for (const { from } of block.transactions) accounts.add(from);
    // A number one below the newest still counts as now; a hash is the block's own.
    const state = await Promise.all(
      asked
        .get(number)!
        .flatMap((account) => [
          ask('eth_getTransactionCount', account, block.hash),
          ask('eth_getCode', account, block.hash),
          ask('eth_getStorageAt', account, '0x0', block.hash),
        ]),
    );
    const receipts = await ask('eth_getBlockReceipts', at);
    const traces = await ask('debug_traceBlockByNumber', at, { tracer: 'callTracer' });
    return { block, receipts, traces, state, logs: await ask('eth_getLogs', { fromBlock: at, toBlock: at }) };
  }
} finally {
  mirror.child.kill('SIGTERM');
  await mirror.ended;
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(changed === 0 ? 0 : 1);

/** The first that differs, with its path. */
function difference(before: unknown, now: unknown, path = ''): string {
  if (typeof before !== 'object' || typeof now !== 'object' || before === null || now === null) {
    return `${path} ${JSON.stringify(before)} became ${JSON.stringify(now)}`;
  }
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  for (const name of names) {
    const [one, other] = [before, now].map((of) => (of as Record<string, unknown>)[name]);
    if (!isDeepStrictEqual(one, other)) return difference(one, other, `${path}.${name}`);
  }
  return path;
}
