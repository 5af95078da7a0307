// Clients that follow the ledger for the whole run: topics over gRPC and as server-sent events, all transactions and
// blocks as events, heads and logs over a web socket. Each comes back where it was cut, and must have everything once
// and in order in the end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@grpc/grpc-js';
import pg from 'pg';
import { followFeed, OrderError } from '../../support/followers/feed-follower.ts';
import { openSubscriber, type Subscriber } from '../../support/followers/subscriber.ts';
import { followTopic, openGrpcClient } from '../../support/followers/topic-followers.ts';
import type { Target } from './asked-kinds.ts';

type FollowerFigures = {
  /** Since the last call. */
  came: number;
  /** Why the connection ended, each time since the last call. */
  ends: string[];
};

export type LongFollowers = {
  take(): Record<string, FollowerFigures>;
  /** Once all is stored that will be. Sentences of what is missing or too much. */
  finish(): Promise<string[]>;
  stop(): void;
};

type Follower = {
  name: string;
  came(): number;
  /** How many the database has for it. */
  expected(client: pg.Client): Promise<number>;
  /** Since the last call. */
  takeEnds(): string[];
  done: Promise<void>;
  stop(): void;
};

const topicsFollowed = 3;
const lastComesWithinMs = 60_000;

export async function openLongFollowers(target: Target, connectionString: string): Promise<LongFollowers> {
  const { topics, from, block } = await withClient(connectionString, readBeginning);
  const client = clientOfTheMoment(target);
  const heads = openHeads(target, block);
  const all: Follower[] = [
    ...topics.map((num) => followOverGrpc(client, num)),
    ...topics.map((num) => followMessages(target, num)),
    followTransactions(target, from),
    followBlocks(target, block, from),
    heads,
  ];
  const broken: string[] = [];
  for (const { name, done } of all) done.catch((error: Error) => broken.push(`${name}: ${error.message}`));
  const before = new Map<string, number>();
  return {
    take: () =>
      Object.fromEntries(
        all.map(({ name, came, takeEnds }) => {
          const sum = came();
          const figures = { came: sum - (before.get(name) ?? 0), ends: takeEnds() };
          before.set(name, sum);
          return [name, figures];
        }),
      ),
    async finish() {
      const missing = await withClient(connectionString, async (db) => {
        const sentences: string[] = [];
        for (const { name, came, expected } of all) {
          const count = await expected(db);
          for (const until = performance.now() + lastComesWithinMs; came() < count && performance.now() < until; )
            await sleep(100);
          if (came() !== count) sentences.push(`${name}: ${came()} came, the ledger has ${count}`);
        }
        return sentences;
      });
      return [...broken, ...missing, ...(await heads.compare(connectionString))];
    },
    stop() {
      for (const { stop } of all) stop();
      client().close();
    },
  };
}

/** The topics with most messages, the moment of the newest transaction and the block after its. */
async function readBeginning(client: pg.Client): Promise<{ topics: number[]; from: bigint; block: number }> {
  const { rows: topics } = await client.query<{ num: number }>(
    `select (topic_id & ((1::int8 << 38) - 1))::int4 as num from topic_message
group by topic_id order by count(*) desc limit ${topicsFollowed}`,
  );
  const { rows } = await client.query<{ end: string; block: number }>(
    'select consensus_end as end, index::int4 as block from record_file order by index desc limit 1',
  );
  return { topics: topics.map(({ num }) => num), from: BigInt(rows[0]!.end), block: rows[0]!.block + 1 };
}

/** It changes with the server's port. */
function clientOfTheMoment(target: Target): () => Client {
  let [port, client] = [target.places.grpcPort, openGrpcClient(target.places.grpcPort)];
  return () => {
    if (port !== target.places.grpcPort) {
      // Calls that are open on it end by themselves.
      client.close();
      [port, client] = [target.places.grpcPort, openGrpcClient(target.places.grpcPort)];
    }
    return client;
  };
}

const messagesOf = (num: number) => (client: pg.Client) =>
  count(client, 'select count(*) from topic_message where topic_id & ((1::int8 << 38) - 1) = $1', num);

function followOverGrpc(client: () => Client, num: number): Follower {
  const ends: string[] = [];
  const onEnd = (why: string): void => void ends.push(why);
  const { seen, done, stop } = followTopic(client, { topicNum: num, total: Number.POSITIVE_INFINITY, onEnd });
  return {
    name: `gRPC topic ${num}`,
    came: seen,
    expected: messagesOf(num),
    takeEnds: () => ends.splice(0),
    done,
    stop,
  };
}

type FeedOptions = { path: string; expected: Follower['expected']; isNext(data: string, place: number): boolean };

function followPath(target: Target, name: string, { path, expected, isNext }: FeedOptions): Follower {
  const ends: string[] = [];
  let seen = 0;
  const feed = followFeed(() => `${target.places.url}/api/v1/${path}`, {
    take(data) {
      if (!isNext(data, seen)) throw new OrderError(`after ${seen} came ${data.slice(0, 300)}`);
      seen += 1;
      return false;
    },
    onEnd: (why) => void ends.push(why),
  });
  return { name, came: () => seen, expected, takeEnds: () => ends.splice(0), ...feed };
}

function followMessages(target: Target, num: number): Follower {
  return followPath(target, `events of topic ${num}`, {
    path: `topics/0.0.${num}/messages?follow=true&timestamp=gte:0`,
    expected: messagesOf(num),
    isNext: (data, place) => Number(/"sequence_number":(\d+)/.exec(data)?.[1]) === place + 1,
  });
}

function followTransactions(target: Target, from: bigint): Follower {
  let last = from;
  return followPath(target, 'events of transactions', {
    path: `transactions?follow=true&timestamp=gt:${from / 1_000_000_000n}.${String(from % 1_000_000_000n).padStart(9, '0')}`,
    expected: (client) => count(client, 'select count(*) from transaction where consensus_timestamp > $1', from),
    isNext(data) {
      const [, seconds, nanos] = /"consensus_timestamp":"(\d+)\.(\d+)"/.exec(data)!;
      const at = BigInt(seconds!) * 1_000_000_000n + BigInt(nanos!);
      const isLater = at > last;
      last = at;
      return isLater;
    },
  });
}

function followBlocks(target: Target, first: number, from: bigint): Follower {
  return followPath(target, 'events of blocks', {
    path: `blocks?follow=true&timestamp=gt:${from / 1_000_000_000n}.${String(from % 1_000_000_000n).padStart(9, '0')}`,
    expected: (client) => count(client, 'select count(*) from record_file where index >= $1', first),
    isNext: (data, place) => Number(/"number":(\d+)/.exec(data)?.[1]) === first + place,
  });
}

type Heads = Follower & { compare(connectionString: string): Promise<string[]> };

function openHeads(target: Target, first: number): Heads {
  const subscriber = openSubscriber(() => `ws://127.0.0.1:${target.places.rpcPort}/`, first);
  return {
    name: 'heads',
    came: () => subscriber.heads.length,
    expected: (client) => count(client, 'select count(*) from record_file where index >= $1', first),
    takeEnds: () => subscriber.ends.splice(0).map((code) => `close ${code}`),
    done: new Promise(() => {}),
    stop: () => subscriber.close(),
    compare: (connectionString) => compareHeads(subscriber, { target, first, connectionString }),
  };
}

type HeadsComparison = { target: Target; first: number; connectionString: string };

/** With the stored blocks, and with what `eth_getLogs` says of them. */
async function compareHeads(subscriber: Subscriber, { target, first, connectionString }: HeadsComparison) {
  const stored = await withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ index: string; hash: string }>(
      'select index, hash from record_file where index >= $1 order by index',
      [first],
    );
    return rows.map(({ index, hash }) => `${index} 0x${hash.slice(0, 64)}`);
  });
  const seen = subscriber.heads.map(({ number, hash }) => `${number} ${hash}`);
  const logs: string[] = [];
  for (let from = first; from < first + stored.length; from += blocksAtATime) {
    const range = { fromBlock: toHex(from), toBlock: toHex(Math.min(from + blocksAtATime, first + stored.length) - 1) };
    logs.push(...(await askLogs(`http://127.0.0.1:${target.places.rpcPort}/`, range)));
  }
  return [...compareLists('heads', seen, stored), ...compareLists('logs', subscriber.logs, logs)];
}

const blocksAtATime = 50;
const toHex = (number: number): string => `0x${number.toString(16)}`;

/** As `block:index`. */
async function askLogs(url: string, range: object): Promise<string[]> {
  for (;;) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [range] }),
    });
    const { result } = (await answer.json()) as { result?: { blockNumber: string; logIndex: string }[] };
    if (result) return result.map(({ blockNumber, logIndex }) => `${Number(blockNumber)}:${Number(logIndex)}`);
    if (answer.status !== 429 && answer.status !== 503) throw new Error(`eth_getLogs: ${answer.status}`);
    await sleep(1000);
  }
}

/** The first place at which they differ. */
export function compareLists(name: string, seen: readonly string[], expected: readonly string[]): string[] {
  const place = expected.findIndex((one, at) => one !== seen[at]);
  const at = place === -1 ? expected.length : place;
  if (place === -1 && seen.length === expected.length) return [];
  return [`${name}: ${seen[at] ?? 'nothing'} came in place of ${expected[at] ?? 'the end'}, as number ${at + 1}`];
}

async function count(client: pg.Client, text: string, value: number | bigint): Promise<number> {
  const { rows } = await client.query<{ count: string }>(text, [value]);
  return Number(rows[0]!.count);
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
