// Clients that follow a topic and come back when the server is gone, over gRPC, as server-sent events, and with the
// SDK. Each throws where a message is missing, comes twice or out of order.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { loadDefinitions, toService } from '../../src/doors/grpc/definitions.ts';
import type { LoadModule } from '../support/program/install-client.ts';
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
  let [seen, comebacks, isStopped] = [0, 0, false];
  let from = { seconds: 0, nanos: 0 };
  async function run(): Promise<void> {
    while (seen < total && !isStopped) {
      try {
        const query = { topicID: { topicNum }, consensusStartTime: from, limit: total - seen };
        for await (const message of subscribe(client, query) as AsyncIterable<Json>) {
          if (Number(message.sequenceNumber) !== seen + 1)
            throw new Error(`gRPC: ${message.sequenceNumber} after ${seen}`);
          seen += 1;
          const { seconds, nanos } = message.consensusTimestamp;
          from = { seconds: Number(seconds), nanos: nanos + 1 };
        }
      } catch (error) {
        if (!retried.includes((error as ServiceError).code)) throw error;
        comebacks += 1;
        await sleep(50);
      }
    }
  }
  return {
    ...{ seen: () => seen, comebacks: () => comebacks, done: run() },
    stop: () => {
      isStopped = true;
    },
  };
}

/** As `EventSource` does it: with the id of the last event. */
export function followEvents(url: string, total: number): Follower {
  let [seen, comebacks] = [0, 0];
  let lastId: string | null = null;
  const stopping = new AbortController();
  async function run(): Promise<void> {
    while (seen < total && !stopping.signal.aborted) {
      try {
        const headers: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId };
        const target = `${url}/api/v1/topics/0.0.${topicNum}/messages?follow=true&timestamp=gte:0`;
        const answer = await fetch(target, { headers, signal: stopping.signal });
        if (answer.status === 200) await read(answer.body!);
      } catch (error) {
        if (error instanceof OrderError) throw error;
        // The server is gone, or starting.
      }
      comebacks += 1;
      await sleep(50);
    }
  }
  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of body) {
      text += decoder.decode(part, { stream: true });
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const [, id, data] = /^id: (.+)\ndata: (.+)$/.exec(event) ?? [];
        if (data === undefined) continue;
        const number = Number(/"sequence_number":(\d+)/.exec(data)![1]);
        if (number !== seen + 1) throw new OrderError(`events: ${number} after ${seen}`);
        seen += 1;
        lastId = id!;
        if (seen === total) return stopping.abort();
      }
    }
  }
  return { seen: () => seen, comebacks: () => comebacks, done: run(), stop: () => stopping.abort() };
}

class OrderError extends Error {}

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
