// The items of a list that goes on: what is stored, then what comes, without a gap between and none twice.
import { topicMessageKind } from '../../http/resources/topics/topic-message-members.ts';
import { transactionKind } from '../../http/resources/transactions/transaction-members.ts';
import { anyRange } from '../../kit/range.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { formatTimestamp } from '../../protocol/hapi/timestamp.ts';
import { followTopic } from '../feed/follow-topic.ts';
import type { LedgerFeed } from '../feed/ledger-feed.ts';
import type { TopicHub } from '../feed/topic-hub.ts';
import type { FollowRequest } from './follow-request.ts';

type Context = { ledger: Ledger; feed: LedgerFeed; hub: TopicHub; signal: AbortSignal };
type Item = { id: string; text: string };

/** The client does not take what comes. */
export class LagError extends Error {}

const maxWaiting = 4096;
const pageSize = 100;

export async function* liveMessages(
  { ledger, hub, signal }: Context,
  { id: topicId, from }: FollowRequest,
): AsyncGenerator<Item> {
  const start = from ?? ((await hub.reads.pass(ledger.newestEnd, signal)) ?? -1n) + 1n;
  const span = { topicId, from: start, until: null, limit: null };
  for await (const message of followTopic(span, { ledger, hub, signal, maxWaiting, onLag: () => new LagError() })) {
    yield { id: formatTimestamp(message.consensusTimestamp), text: topicMessageKind.write(message) };
  }
}

/** Each follower reads its own: at each growth of the ledger one query, which an index answers, few at a time. */
export async function* liveTransactions(
  { ledger, feed, hub, signal }: Context,
  { id, from }: FollowRequest,
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
      const to = end;
      const read = () =>
        ledger.transactions.list({
          ...{ accounts: { ...anyRange, equals: [id] }, timestamp: { ...anyRange, from: next, to } },
          ...{ types: null, isSuccess: null, moved: null, order: 'asc', limit: pageSize },
        });
      const { items } = await hub.reads.pass(read, signal);
      for (const item of items)
        yield { id: formatTimestamp(item.consensusTimestamp), text: transactionKind.write(item) };
      next = items.length < pageSize ? to + 1n : items.at(-1)!.consensusTimestamp + 1n;
    }
  } finally {
    stop();
  }
}
