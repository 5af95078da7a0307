// A simulated network, imported and served, with what the network itself held after some of its blocks.

import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import type { LedgerTables } from '../../packages/simulated-network/ledger/ledger.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';

/** What the network held: rows are never changed in place, so that copies of the maps are enough. */
export type Held = Pick<LedgerTables, 'accounts' | 'tokens' | 'relations' | 'nfts' | 'allowances'>;

/** `at`: consensus end of the block, ns; null: now. */
export type Moment = { at: bigint | null; block: string; held: Held };

/** Members of an answer; all integers are bigint. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
export type Json = any;

export type Called = { bytes: Uint8Array } | { status: number; message: string; data: string };

export type KnownMoments = {
  db: Database;
  /** `now` first. */
  moments: readonly Moment[];
  /** null: 404. Answers are kept. */
  get(path: string): Promise<Json>;
  call(body: object): Promise<Called>;
  close(): Promise<void>;
};

export type KnownMomentsOptions = { seed: string; blocks: number; transactionsPerBlock: number; moments: number };

/** Every third block has a snapshot of balances; at the others transfers come on top. */
const blockTime = 300_000_000_000n;

export async function openKnownMoments(options: KnownMomentsOptions): Promise<KnownMoments> {
  const { seed, blocks, transactionsPerBlock, moments: count } = options;
  const ends: { at: bigint; held: Held }[] = [];
  const every = Math.max(1, Math.floor((blocks - 1) / count));
  let block = 0;
  const stream = await writeSimulatedStream({
    ...{ seed, blocks, transactionsPerBlock, blockTime },
    onBlock(at, { accounts, tokens, relations, nfts, allowances }) {
      block += 1;
      if (block % every !== 0 || block === blocks || tokens.size === 0) return;
      const held = { accounts: new Map(accounts), tokens: new Map(tokens), relations: new Map(relations) };
      ends.push({ at, held: { ...held, nfts: new Map(nfts), allowances: new Map(allowances) } });
    },
  });
  const scratch = await createScratchDatabase();
  await stream.importInto(scratch.connectionString);
  stream.close();
  const db = openDatabase(scratch);
  const app = openServer(db, 'hiero', { settings: { network: { chainId: 298n } } });
  const kept = new Map<string, Promise<Json>>();

  async function ask(path: string): Promise<Json> {
    const { statusCode, body } = await app.inject({ method: 'GET', url: `/api/v1/${path}` });
    if (statusCode === 404) return null;
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${body}`);
    return parseExact(body);
  }

  const numbers = new Map<bigint, string>();
  for (let next = 'blocks?limit=100&order=asc'; next; ) {
    const page = await ask(next);
    for (const { number, timestamp } of page.blocks) numbers.set(toNs(timestamp.to), String(number));
    next = page.links.next?.replace('/api/v1/', '') ?? '';
  }
  const past = ends.map(({ at, held }) => ({ at, held, block: numbers.get(at)! }));
  return {
    db,
    moments: [{ at: null, block: 'latest', held: stream.truth }, ...past],
    get(path) {
      const known = kept.get(path) ?? ask(path);
      kept.set(path, known);
      return known;
    },
    async call(body) {
      const headers = { 'content-type': 'application/json' };
      const payload = JSON.stringify(body);
      const answer = await app.inject({ method: 'POST', url: '/api/v1/contracts/call', headers, payload });
      const { result, _status } = JSON.parse(answer.body);
      if (answer.statusCode === 200) return { bytes: Buffer.from(result.slice(2), 'hex') };
      const { message, data } = _status.messages[0];
      return { status: answer.statusCode, message, data };
    },
    async close() {
      await app.close();
      await db.close();
      await scratch.close();
    },
  };
}

function parseExact(body: string): Json {
  const read = (_: string, value: unknown, context?: { source: string }) =>
    typeof value === 'number' && Number.isInteger(value) ? BigInt(context!.source) : value;
  return JSON.parse(body, read as never);
}

/** ns of `seconds.nanoseconds`. */
export function toNs(timestamp: string): bigint {
  return BigInt(timestamp.replace('.', ''));
}

/** As queries have it. */
export function toTimestamp(ns: bigint): string {
  return `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
}

/** To be compared and shown. */
export function show(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint') return one.toString();
    // A Buffer has become an object by now, with its bytes as a list.
    if (one instanceof Uint8Array) return `0x${Buffer.from(one).toString('hex')}`;
    return isBuffer(one) ? `0x${Buffer.from(one.data).toString('hex')}` : one;
  });
}

function isBuffer(value: unknown): value is { data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}
