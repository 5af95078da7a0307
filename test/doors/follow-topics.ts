// Messages of a topic are written and imported while clients of every kind follow it and the server is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { openMessageStream, textOf } from '../support/followers/message-stream.ts';
import {
  type Follower,
  followEvents,
  followOverGrpc,
  followWithSdk,
  openGrpcClient,
  subscribe,
} from '../support/followers/topic-followers.ts';
import type { LoadModule } from '../support/program/install-client.ts';
import { openKilledServer } from './killed-server.ts';

const callsOfConnection = 5;
const messagesOfBlock = 250;

export type FollowTopicsOptions = {
  /** Whole texts; a tenth of them comes in three parts. */
  texts: number;
  /** Over gRPC. */
  subscribers: number;
  /** Of server-sent events. */
  followers: number;
  kills: number;
  /** Of the folder with the SDK; null = without it. */
  load: LoadModule | null;
  onProgress?(text: string): void;
};

export async function followTopics({ texts, subscribers, followers, kills, load, onProgress }: FollowTopicsOptions) {
  const total = texts + 2 * Math.floor(texts / 10);
  const stream = await openMessageStream();
  const server = await openKilledServer(stream.connectionString);
  const clients = Array.from({ length: Math.ceil((subscribers + 1) / callsOfConnection) }, () =>
    openGrpcClient(server.grpcPort),
  );
  const all: Follower[] = [];
  const startedMs = performance.now();
  try {
    stream.writeBlock(Array.from({ length: Math.min(20, texts) }, (_, place) => textOf(place)));
    let written = Math.min(20, texts);
    await arrive(server.url);
    const sdk = load && (await followWithSdk(load, { port: server.grpcPort, texts, mayMiss: kills }));
    if (sdk) all.push(sdk);
    for (let n = 0; n < subscribers; n++) all.push(followOverGrpc(clients[Math.floor(n / callsOfConnection)]!, total));
    for (let n = 0; n < followers; n++) all.push(followEvents(server.url, total));
    const deaf = subscribe(clients.at(-1)!, { topicID: { topicNum: 5001 }, consensusStartTime: { seconds: 0 } });
    deaf.on('error', () => {}).pause();
    const done = Promise.all(all.map((follower) => follower.done));
    // It is waited for below.
    done.catch(() => {});
    let killed = 0;
    while (written < texts) {
      const count = Math.min(messagesOfBlock, texts - written);
      stream.writeBlock(Array.from({ length: count }, (_, place) => textOf(written + place)));
      written += count;
      // No more is written than the slowest can follow without being ended.
      while (stream.written() - Math.min(...all.map(({ seen }) => seen())) > 8000)
        await Promise.race([sleep(20), done]);
      const due = Math.floor(((kills + 0.5) * written) / texts);
      if (killed < Math.min(due, kills)) {
        killed += 1;
        await server.kill();
        onProgress?.(`kill ${killed} at ${written} texts`);
      }
      await Promise.race([sleep(5), done]);
    }
    await done;
    deaf.cancel();
    return {
      ...{ messages: stream.written(), killed, seconds: (performance.now() - startedMs) / 1000 },
      seen: all.map(({ seen }) => seen()),
      comebacks: all.reduce((sum, { comebacks }) => sum + comebacks(), 0),
      sdk: sdk && { messages: sdk.seen(), missed: sdk.missed(), nodes: sdk.nodes },
    };
  } finally {
    for (const follower of all) follower.stop();
    for (const client of clients) client.close();
    await server.close();
    await stream.close();
  }
}

async function arrive(url: string): Promise<void> {
  while (!(await (await fetch(`${url}/api/v1/topics/0.0.5001/messages?limit=1`)).text()).includes('sequence_number'))
    await sleep(20);
}
