// The items of a list that goes on: what is stored, then what comes, without a gap between and none twice.

import { anyRange, type Range } from '../../../packages/kit/range.ts';
import { whenThereIsRoom } from '../../../packages/kit/when-there-is-room.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { blockKind } from '../../resources/blocks/block-members.ts';
import { topicMessageKind } from '../../resources/topics/topic-message-members.ts';
import { transactionKind } from '../../resources/transactions/transaction-members.ts';
import { followTopic } from '../feed/follow-topic.ts';
import type { LedgerFeed } from '../feed/ledger-feed.ts';
import type { TopicHub } from '../feed/topic-hub.ts';
import type { FollowRequest } from './follow-request.ts';
import type { HeldReads, LiveItem } from './held-reads.ts';

type Context = { ledger: Ledger; feed: LedgerFeed; hub: TopicHub; reads: HeldReads; signal: AbortSignal };
type Item = Pick<LiveItem, 'id' | 'text'>;

/** The client does not take what comes. */
export class LagError extends Error {}

const maxWaiting = 4096;
const pageSize = 100;
const page = { order: 'asc', limit: pageSize } as const;

export async function* liveMessages(
  { ledger, hub, signal }: Context,
  { id: topicId, from }: FollowRequest,
): AsyncGenerator<Item> {
  const start = from ?? ((await hub.reads.pass(ledger.newestEnd, signal)) ?? -1n) + 1n;
  const span = { topicId: topicId!, from: start, until: null, limit: null };
  for await (const message of followTopic(span, { ledger, hub, signal, maxWaiting, onLag: () => new LagError() })) {
    yield { id: formatTimestamp(message.consensusTimestamp), text: topicMessageKind.write(message) };
  }
}

export function liveBlocks(context: Context, { list, from }: FollowRequest): AsyncGenerator<Item> {
  const { members } = blockKind;
  return followPages(context, { list, from }, async (timestamp) => {
    const all = { ...page, members, number: anyRange, by: 'timestamp' as const };
    const { items } = await context.ledger.blocks.list({ ...all, timestamp });
    return items.map((item) => toItem(item.consensusEnd, blockKind.write(item)));
  });
}

/** Of one account, or all. */
export function liveTransactions(context: Context, { list, id, from }: FollowRequest): AsyncGenerator<Item> {
  const accounts = id === null ? anyRange : { ...anyRange, equals: [id] };
  return followPages(context, { list: `${list} ${id ?? ''}`, from }, async (timestamp) => {
    const all = { ...page, types: null, isSuccess: null, moved: null };
    const { items } = await context.ledger.transactions.list({ ...all, accounts, timestamp });
    return items.map((item) => toItem(item.consensusTimestamp, transactionKind.write(item)));
  });
}

function toItem(at: bigint, text: string): LiveItem {
  return { id: formatTimestamp(at), at, text };
}

/** At each growth of the ledger one query, which an index answers, for all who follow the same; few at a time. */
async function* followPages(
  { feed, reads, signal }: Context,
  { list, from }: { list: string; from: bigint | null },
  read: (timestamp: Range) => Promise<LiveItem[]>,
): AsyncGenerator<Item> {
  let wake = (): void => {};
  let end = -1n;
  signal.addEventListener('abort', () => wake(), { once: true });
  const { since, stop } = await feed.follow(({ to }) => {
    end = to;
    wake();
  });
  if (since > end) end = since;
  let next = from ?? since + 1n;
  try {
    while (!signal.aborted) {
      if (next > end) {
        await new Promise<void>((done) => {
          wake = done;
          if (signal.aborted || next <= end) done();
        });
        continue;
      }
      const span = { ...anyRange, from: next, to: end };
      const key = `${list} ${span.from} ${span.to}`;
      const items = await whenThereIsRoom(() => reads.share(key, () => read(span), signal), signal);
      yield* items;
      next = items.length < pageSize ? span.to + 1n : items.at(-1)!.at + 1n;
    }
  } finally {
    stop();
  }
}
