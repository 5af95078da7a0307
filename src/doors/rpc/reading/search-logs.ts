// Logs of a range of blocks: by address and topics, bounded in blocks and in rows.
import { anyRange } from '../../../../packages/kit/range.ts';
import type { ChainBlock } from '../../../ledger/chain/create-chain.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { type FoundLog, writeLogs } from '../shapes/log.ts';
import { rpcError } from '../terms/rpc-error.ts';
import type { RpcContext } from './context.ts';

export type LogSearch = {
  /** Any of them; empty = all. */
  addresses: readonly Buffer[];
  /** By position, alternatives of 32 bytes; empty = any, but there is one. */
  topics: readonly (readonly Buffer[])[];
  from: ChainBlock;
  to: ChainBlock;
};

/** With one address an index leads to its logs in any range of blocks. */
const maxBlocks = 1000n;
export const maxLogs = 10_000;
/** Of an answer. */
const maxLength = 64 * 2 ** 20;
/** Each is a query. */
const maxAddresses = 100;
/** Most searches find no more than this; the others go on in slices, one of all searches at a time. */
const firstLogs = 250;
/** p99 of other clients beside 16 connections of such searches: with a thousand × 2.7, with these × 2.2. */
const sliceLogs = 250;

/** JSON of the list, by time and index. Throws RpcError for a range or a number of logs that is too large. */
export async function searchLogs(
  { ledger, turns }: Pick<RpcContext, 'ledger' | 'turns'>,
  { addresses, topics, from, to }: LogSearch,
): Promise<string> {
  if (from.number > to.number) throw rpcError.invalidBlockRange();
  if (addresses.length !== 1 && to.number - from.number > maxBlocks) throw rpcError.tooManyBlocks(maxBlocks);
  const query = {
    ...{ transactionHash: null, topics: topics.map(toStored), order: 'asc' as const },
    // As geth counts: each position that is named has to be there, whatever stands in it.
    minTopics: topics.length,
    timestamp: { ...anyRange, from: from.consensusStart, to: to.consensusEnd },
  };
  const ids = addresses.length === 0 ? [null] : [...(await contractsAt(ledger, addresses))];
  const sorted: FoundLog[] = [];
  const texts: string[] = [];
  let [count, length] = [0, 0];
  for (const contractId of ids) await addLogsOf(contractId);
  sorted.sort(byTime);
  for (let at = 0; at < sorted.length; at += sliceLogs)
    await turns.take(async () => write(sorted.slice(at, at + sliceLogs)));
  return `[${texts.join(',')}]`;

  async function addLogsOf(contractId: bigint | null): Promise<void> {
    let after: FoundLog | null = await add(contractId, null, firstLogs);
    while (after) {
      const last: FoundLog = after;
      after = await turns.take(() => add(contractId, last, sliceLogs));
    }
  }

  /** The last one, if more may follow. */
  async function add(contractId: bigint | null, after: FoundLog | null, limit: number): Promise<FoundLog | null> {
    const timestamp = after ? { ...query.timestamp, from: after.consensusTimestamp } : query.timestamp;
    const index = after ? { ...anyRange, from: BigInt(after.index) + 1n } : anyRange;
    const { items } = await ledger.contractLogs.listPlain({ ...query, contractId, timestamp, index, limit });
    count += items.length;
    if (count > maxLogs) throw rpcError.tooManyLogs(maxLogs);
    if (ids.length === 1) write(items);
    else for (const log of items) sorted.push(log);
    return items.length === limit ? items.at(-1)! : null;
  }

  function write(logs: readonly FoundLog[]): void {
    if (logs.length === 0) return;
    const text = writeLogs(logs);
    length += text.length;
    if (length > maxLength) throw rpcError.longLogs(maxLength);
    texts.push(text);
  }
}

async function contractsAt({ chain }: Pick<Ledger, 'chain'>, addresses: readonly Buffer[]): Promise<Set<bigint>> {
  if (addresses.length > maxAddresses) throw rpcError.tooManyAddresses(maxAddresses);
  const ids = new Set<bigint>();
  for (const address of addresses) {
    // A contract in no table of entities has logs all the same.
    const id = chain.idOf(address) ?? (await chain.entityAt(address))?.id;
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

/** Topics are stored without leading zeros. */
function toStored(alternatives: readonly Buffer[]): Buffer[] {
  return alternatives.map((topic) => {
    const first = topic.findIndex((byte) => byte !== 0);
    return first < 0 ? Buffer.alloc(0) : topic.subarray(first);
  });
}

function byTime(one: FoundLog, other: FoundLog): number {
  if (one.consensusTimestamp === other.consensusTimestamp) return one.index - other.index;
  return one.consensusTimestamp < other.consensusTimestamp ? -1 : 1;
}
