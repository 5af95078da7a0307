// What clients of web sockets wait for: heads of blocks, and logs. Each block is read once for all of them, when it was
// committed.
import { randomBytes } from 'node:crypto';
import type { Registry } from 'prom-client';
import { anyRange } from '../../../packages/kit/range.ts';
import type { Place } from '../../../packages/kit/shares/client-places.ts';
import { createDoorPlaces } from '../../../packages/kit/shares/door-places.ts';
import type { ChainBlock } from '../../ledger/chain/create-chain.ts';
import type { LedgerFeed } from '../feed/ledger-feed.ts';
import { createTeller } from '../feed/teller.ts';
import { readBlock } from '../rpc/methods/block-contents.ts';
import type { RpcContext } from '../rpc/reading/context.ts';
import { type FoundLog, toListedLog } from '../rpc/shapes/log.ts';
import { RpcError } from '../rpc/terms/rpc-error.ts';

export type LogInterest = {
  /** Of contracts; null = of all. */
  contracts: ReadonlySet<bigint> | null;
  /** By position, alternatives of 32 bytes; empty = any, but there is one. */
  topics: readonly (readonly Buffer[])[];
};

/** Of blocks: with whole transactions, or their hashes. */
export type HeadInterest = { isWhole: boolean };

type Subscription = {
  interest: LogInterest | HeadInterest;
  /** Consensus time, ns: only what came later. */
  since: bigint;
  send(text: string): void;
  leave(): void;
  place: Place;
};

type Subscriber = {
  /** Whose share it takes. */
  client: string;
  /** null = in what never comes. */
  interest: LogInterest | HeadInterest | null;
  send(text: string): void;
  /** Others need what it takes: it is removed. */
  withdraw(): void;
};

export type Subscriptions = {
  /** Its id. Throws PlacesFull when all of them ask for too much. */
  add(subscriber: Subscriber): Promise<string>;
  remove(id: string): boolean;
  count(): number;
};

/** Blocks and logs of one query. */
const pageSize = 100;
/** Later than any block, ns. */
const never = 2n ** 63n;
const maxLogsOfBlock = 100_000;

export type SubscriptionsOptions = {
  context: RpcContext;
  feed: LedgerFeed;
  registry: Registry;
  /** Subscriptions, and their addresses and topics. */
  maxTerms?: number;
};

export function createSubscriptions({ context, feed, registry, maxTerms }: SubscriptionsOptions): Subscriptions {
  const { ledger } = context;
  const all = new Map<string, Subscription>();
  const teller = createTeller(feed, tell);
  const places = createDoorPlaces('subscriptionTerms', { registry, ...(maxTerms !== undefined && { max: maxTerms }) });

  return {
    async add({ client, interest, send, withdraw }) {
      const id = `0x${randomBytes(16).toString('hex')}`;
      let isWithdrawn = false;
      const place = places.enter(client, {
        size: 1 + (interest ? countTerms(interest) : 0),
        withdraw() {
          isWithdrawn = true;
          remove(id);
          withdraw();
        },
      });
      try {
        const { leave } = await teller.join();
        const kept = interest ? { interest, since: teller.position() } : { interest: { isWhole: false }, since: never };
        if (isWithdrawn) leave();
        else all.set(id, { ...kept, send, leave, place });
      } catch (error) {
        place.leave();
        throw error;
      }
      return id;
    },
    remove,
    count: () => all.size,
  };

  function remove(id: string): boolean {
    const subscription = all.get(id);
    if (!subscription) return false;
    all.delete(id);
    subscription.place.leave();
    subscription.leave();
    return true;
  }

  async function* tell(after: bigint, to: bigint): AsyncGenerator<bigint> {
    for (let position = after; position < to; ) {
      const blocks = await ledger.chain.blocksEnded(position + 1n, to, pageSize);
      for (const block of blocks) {
        await tellBlock(block);
        yield block.consensusEnd;
      }
      position = blocks.length < pageSize ? to : blocks.at(-1)!.consensusEnd;
    }
  }

  /** Everything is read before the first text is sent: what fails is sent again, and no client gets a part twice. */
  async function tellBlock(block: ChainBlock): Promise<void> {
    const waiting = [...all].filter(([, { since }]) => since < block.consensusEnd);
    const interests = waiting.map(([, { interest }]) => interest);
    const heads = new Map<boolean, string>();
    for (const interest of interests) {
      if (isOfLogs(interest) || heads.has(interest.isWhole)) continue;
      heads.set(interest.isWhole, JSON.stringify(await readHead(context, block, interest)));
    }
    const logsFound = interests.some(isOfLogs) ? await readLogs(ledger, block) : [];
    for (const [id, { interest, send }] of waiting) {
      if (!isOfLogs(interest)) send(toEvent(id, heads.get(interest.isWhole)!));
    }
    for (const log of logsFound) {
      let text: string | null = null;
      for (const [id, { interest, send }] of waiting) {
        if (!isOfLogs(interest) || !isWanted(log, interest)) continue;
        text ??= JSON.stringify(toListedLog(log));
        send(toEvent(id, text));
      }
    }
  }
}

async function readLogs({ contractLogs }: RpcContext['ledger'], block: ChainBlock): Promise<readonly FoundLog[]> {
  const { items } = await contractLogs.listPlain({
    ...{ contractId: null, transactionHash: null, index: anyRange, topics: [], order: 'asc', limit: maxLogsOfBlock },
    timestamp: { ...anyRange, from: block.consensusStart, to: block.consensusEnd },
  });
  return items;
}

function isOfLogs(interest: LogInterest | HeadInterest): interest is LogInterest {
  return 'topics' in interest;
}

/** A block with too many transactions to be shown whole has their hashes: no client misses its head. */
async function readHead(context: RpcContext, block: ChainBlock, { isWhole }: HeadInterest) {
  if (!isWhole) return readBlock(context, block, false);
  try {
    return await readBlock(context, block, true);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return readBlock(context, block, false);
  }
}

function countTerms(interest: LogInterest | HeadInterest): number {
  if (!isOfLogs(interest)) return 0;
  const { contracts, topics } = interest;
  return (contracts?.size ?? 0) + topics.reduce((sum, { length }) => sum + length, 0);
}

function toEvent(id: string, result: string): string {
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"result":${result},"subscription":"${id}"}}`;
}

function isWanted(log: FoundLog, { contracts, topics }: LogInterest): boolean {
  if (contracts && !contracts.has(log.contractId)) return false;
  const own = [log.topic0, log.topic1, log.topic2, log.topic3];
  return topics.every((alternatives, place) => {
    const topic = own[place];
    return topic != null && (alternatives.length === 0 || alternatives.some((one) => isSameWord(topic, one)));
  });
}

/** `stored`: without leading zeros. */
function isSameWord(stored: Buffer, word: Buffer): boolean {
  const zeros = word.length - stored.length;
  if (zeros < 0 || word.compare(stored, 0, stored.length, zeros) !== 0) return false;
  for (let place = 0; place < zeros; place++) if (word[place] !== 0) return false;
  return true;
}
