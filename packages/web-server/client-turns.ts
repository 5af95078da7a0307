// Requests that are worked on, by client. While several clients ask, each has an equal share of the places, and its
// further requests wait for one of its own to end: one that asks on a thousand connections delays another by a few
// requests. Where many ask, a client whose further requests wait rests after each for as long as its newest one has
// been in work. A client alone has no bound here.
import { doorShares } from '../kit/shares/door-shares.ts';

export type ClientTurns = {
  /** null = it begins now. Otherwise it waits; rejects with what `refuseLate` makes. */
  begin(client: string): Promise<void> | null;
  /** To be called once for each that began. */
  end(client: string): void;
  /** One that began has waited elsewhere, and goes on without a turn. */
  resume(client: string): void;
  inWork(): number;
  /** Whether no client has more in work than this client, which has something. */
  hasMost(client: string): boolean;
};

type Options = {
  /** Whether this thread has little time: then clients share fewer places, where several ask. */
  isBusy(): boolean;
  /** Whether it is behind: then each of them has one request in work. */
  isBehind(): boolean;
  /** For one that has waited too long. */
  refuseLate(): Error;
  /** Monotonic, ms. */
  clock?: () => number;
};

type Waiting = { since: number; begin(): void; refuse(error: Error): void };
/** `begunMs`: of the request that began last. */
type Client = { inWork: number; begunMs: number; waiting: Waiting[] };

const { places, waitMs } = doorShares.questions;
/** So many of a client are worked on, and so many of all, unless this thread is busy; then all share the latter. */
const minShare = 2;
const alwaysInWork = 8;
/** A client counts as one that asks until it has been silent for this long, or twice as long. */
const silentMs = 1000;
const lookEveryMs = 50;
/** One beside two that ask little gets all that they leave. */
const manyClients = 4;
/** A request may take long because it waits for others, such as the database. */
const maxRestMs = 100;

export function createClientTurns({
  isBusy,
  isBehind,
  refuseLate,
  clock = () => performance.now(),
}: Options): ClientTurns {
  const clients = createClients(clock);
  const waiting = new Set<Client>();
  const asking = createAsking(clock);
  let isWatched = false;

  const mayBegin = (client: Client): boolean => {
    if (client.inWork === 0) return true;
    const count = asking.count();
    if (count <= 1) return true;
    if (isBehind()) return false;
    if (isBusy()) return client.inWork < Math.floor(alwaysInWork / count);
    return clients.inWork() < alwaysInWork || client.inWork < Math.max(minShare, Math.floor(places / count));
  };

  function startWaiting(): void {
    while (waiting.size > 0) {
      let next: Client | null = null;
      for (const client of waiting) if (next === null || client.inWork < next.inWork) next = client;
      if (next === null || !mayBegin(next)) return;
      const one = next.waiting.shift()!;
      // Its turn is over for now: of those with as many in work, others come first.
      waiting.delete(next);
      if (next.waiting.length > 0) waiting.add(next);
      clients.start(next);
      one.begin();
    }
  }

  function leave(name: string): void {
    clients.leave(name);
    if (waiting.size > 0) startWaiting();
  }

  /** 0 = it does not rest. */
  function restMsOf({ waiting, begunMs }: Client): number {
    if (waiting.length === 0 || asking.count() < manyClients) return 0;
    return Math.min(maxRestMs, clock() - begunMs);
  }

  function look(): void {
    isWatched = false;
    const latest = clock() - waitMs;
    for (const client of waiting) {
      while (client.waiting.length > 0 && client.waiting[0]!.since < latest)
        client.waiting.shift()!.refuse(refuseLate());
      if (client.waiting.length === 0) waiting.delete(client);
    }
    startWaiting();
    watch();
  }

  function watch(): void {
    if (isWatched || waiting.size === 0) return;
    isWatched = true;
    setTimeout(look, lookEveryMs).unref();
  }

  return {
    begin(name) {
      asking.note(name);
      const client = clients.find(name);
      if (client.waiting.length === 0 && mayBegin(client)) {
        clients.start(client);
        return null;
      }
      waiting.add(client);
      watch();
      return new Promise((begin, refuse) => client.waiting.push({ since: clock(), begin, refuse }));
    },
    end(name) {
      const restMs = restMsOf(clients.find(name));
      if (restMs > 0) setTimeout(leave, restMs, name);
      else leave(name);
    },
    resume: (name) => clients.start(clients.find(name)),
    inWork: clients.inWork,
    hasMost: clients.hasMost,
  };
}

/** Those that have something in work, or wait. */
function createClients(clock: () => number) {
  const clients = new Map<string, Client>();
  let inWork = 0;
  return {
    inWork: () => inWork,
    find(name: string): Client {
      const client = clients.get(name) ?? { inWork: 0, begunMs: 0, waiting: [] };
      clients.set(name, client);
      return client;
    },
    start(client: Client): void {
      client.inWork += 1;
      client.begunMs = clock();
      inWork += 1;
    },
    leave(name: string): void {
      const client = clients.get(name)!;
      client.inWork -= 1;
      inWork -= 1;
      if (client.inWork === 0 && client.waiting.length === 0) clients.delete(name);
    },
    hasMost(name: string): boolean {
      const own = clients.get(name)?.inWork ?? 0;
      if (own === 0) return false;
      for (const client of clients.values()) if (client.inWork > own) return false;
      return true;
    },
  };
}

/** How many clients asked lately. */
function createAsking(clock: () => number) {
  let now = new Set<string>();
  let before = new Set<string>();
  let since = clock();
  return {
    note(client: string): void {
      const time = clock();
      if (time - since > silentMs) {
        before = time - since > 2 * silentMs ? new Set() : now;
        now = new Set();
        since = time;
      }
      now.add(client);
    },
    /** At least: who asked in both times is one. */
    count: (): number => Math.max(now.size, before.size),
  };
}
