// Clients that follow a topic and come back when the server is gone, over gRPC, as server-sent events, and with the
// SDK. Each throws where a message is missing, comes twice or out of order.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { loadDefinitions, toService } from '../../../src/doors/grpc/definitions.ts';
import type { LoadModule } from '../program/install-client.ts';
import { followFeed, OrderError } from './feed-follower.ts';
import { isLong, partsOfLong, textOf, topicNum } from './message-stream.ts';

type Json = ReturnType<typeof JSON.parse>;

export type Follower = { seen(): number; comebacks(): number; done: Promise<void>; stop(): void };

const { subscribeTopic } = toService(
  loadDefinitions().service('com.hedera.mirror.api.proto.ConsensusService'),
) as Record<'subscribeTopic', Json>;
const retried: readonly number[] = [status.UNAVAILABLE, status.RESOURCE_EXHAUSTED, status.DEADLINE_EXCEEDED];

/** A connection of its own. */
export function openGrpcClient(port: number): Client {
  return new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_reconnect_backoff_ms': 1000,
  });
}

export function subscribe(client: Client, query: object) {
  const { path, requestSerialize, responseDeserialize } = subscribeTopic;
  return client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, query);
}

/** As SDKs do it: from behind the last message, with what is left of the limit. */
export function followOverGrpc(client: Client, total: number): Follower {
  return followTopic(() => client, { topicNum, total });
}

type TopicOptions = {
  topicNum: number;
  /** Messages; Infinity = until it is stopped. */
  total: number;
  /** Why the server, or the connection, ended a subscription. */
  onEnd?(why: string): void;
};

/** @param client of the moment */
export function followTopic(client: () => Client, { topicNum, total, onEnd = () => {} }: TopicOptions): Follower {
  let [seen, comebacks, isStopped] = [0, 0, false];
  let from = { seconds: 0, nanos: 0 };
  let call: ReturnType<typeof subscribe> | null = null;
  async function run(): Promise<void> {
    while (seen < total && !isStopped) {
      try {
        const limit = Number.isFinite(total) ? total - seen : 0;
        call = subscribe(client(), { topicID: { topicNum }, consensusStartTime: from, limit });
        for await (const message of call as AsyncIterable<Json>) {
          if (Number(message.sequenceNumber) !== seen + 1)
            throw new Error(`gRPC: ${message.sequenceNumber} after ${seen}`);
          seen += 1;
          const { seconds, nanos } = message.consensusTimestamp;
          from = { seconds: Number(seconds), nanos: nanos + 1 };
        }
        if (seen < total) onEnd('OK');
      } catch (error) {
        const { code } = error as ServiceError;
        if (isStopped && code === status.CANCELLED) return;
        if (!retried.includes(code)) throw error;
        onEnd(status[code]!);
        comebacks += 1;
        await sleep(50);
      }
    }
  }
  return {
    ...{ seen: () => seen, comebacks: () => comebacks, done: run() },
    stop: () => {
      isStopped = true;
      if (!Number.isFinite(total)) call?.cancel();
    },
  };
}

/** With the id of the last event. */
export function followEvents(url: string, total: number): Follower {
  const target = `${url}/api/v1/topics/0.0.${topicNum}/messages?follow=true&timestamp=gte:0`;
  let [seen, comebacks] = [0, 0];
  const feed = followFeed(() => target, {
    take(data) {
      const number = Number(/"sequence_number":(\d+)/.exec(data)![1]);
      if (number !== seen + 1) throw new OrderError(`events: ${number} after ${seen}`);
      seen += 1;
      return seen === total;
    },
    onEnd: () => {
      comebacks += 1;
    },
  });
  return { ...feed, seen: () => seen, comebacks: () => comebacks };
}

/** The texts come whole and in order. */
export async function followWithSdk(
  load: LoadModule,
  { port, texts, mayMiss }: { port: number; texts: number; mayMiss: number },
): Promise<Follower & { missed(): number; nodes: string[] }> {
  const { Client: SdkClient, TopicMessageQuery, AddressBookQuery } = await load<Json>('@hiero-ledger/sdk');
  const client = await SdkClient.forMirrorNetwork([`127.0.0.1:${port}`]);
  const nodes = Object.keys(client.network);
  const book = await new AddressBookQuery().setFileId('0.0.102').execute(client);
  if (nodes.length !== book.nodeAddresses.length)
    throw new Error(`${nodes.length} nodes of ${book.nodeAddresses.length}`);
  let [seen, missed, next] = [0, 0, 0];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const query = new TopicMessageQuery().setTopicId(`0.0.${topicNum}`).setStartTime(0).setMaxAttempts(100);
  const handle = query.subscribe(
    client,
    (_message: unknown, error: Error) => reject(error),
    (message: Json) => {
      const text = Buffer.from(message.contents).toString();
      // Of a long text the SDK forgets the parts that it has when it loses the connection.
      while (text !== textOf(next) && isLong(next) && missed < mayMiss) {
        seen += partsOfLong;
        next += 1;
        missed += 1;
      }
      if (text !== textOf(next)) return reject(new Error(`SDK: ${text} in place of ${textOf(next)}`));
      seen += isLong(next) ? partsOfLong : 1;
      next += 1;
      if (next === texts) resolve();
    },
  );
  const stop = (): void => {
    handle.unsubscribe();
    client.close();
  };
  return { seen: () => seen, missed: () => missed, comebacks: () => 0, nodes, done: promise.finally(stop), stop };
}
