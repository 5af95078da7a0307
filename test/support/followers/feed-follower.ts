// A client of server-sent events that comes back as `EventSource` does it: with the id of the last event.
import { setTimeout as sleep } from 'node:timers/promises';

export type FeedFollower = { done: Promise<void>; stop(): void };

export type FeedHandlers = {
  /** Of each event, in the order in which they came. true = enough. Throws OrderError. */
  take(data: string): boolean;
  /** Why a stream ended before that: `ended`, `cut`, or the status of an answer that is none. */
  onEnd(why: string): void;
};

export class OrderError extends Error {}

/** @param target where it is asked for at the moment */
export function followFeed(target: () => string, { take, onEnd }: FeedHandlers): FeedFollower {
  let lastId: string | null = null;
  const stopping = new AbortController();
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const why = await readOnce();
      if (stopping.signal.aborted) return;
      onEnd(why);
      await sleep(50);
    }
  }
  async function readOnce(): Promise<string> {
    try {
      const headers: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId };
      const answer = await fetch(target(), { headers, signal: stopping.signal });
      if (answer.status !== 200) return `${answer.status} ${await answer.text()}`;
      await read(answer.body!);
      return 'ended';
    } catch (error) {
      if (error instanceof OrderError) throw error;
      // The server is gone, or starting.
      return 'cut';
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
        const isEnough = take(data);
        lastId = id!;
        if (isEnough) return stopping.abort();
      }
    }
  }
  return { done: run(), stop: () => stopping.abort() };
}
