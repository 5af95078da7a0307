// Clients with work that runs or waits, and whose turn is next.
import type { SpentTimes } from './spent-times.ts';

export type Waiting = {
  size: number;
  /** `isKept`: it has one of the places that are kept for light clients. */
  begin(isKept: boolean): void;
  refuse(error: Error): void;
};

export type Client = {
  name: string;
  /** In the order in which it came. */
  waiting: Waiting[];
  size: number;
  running: number;
  /** How much of its work has begun since it has been here. */
  begun: number;
  /** When it came, or when the last of its work began or ended: as a time (ms), and in the order of all clients. */
  since: number;
  touched: number;
};

export type AmountOf = (client: Client) => number;

export type ClientRoll = ReturnType<typeof createClientRoll>;

type Options = {
  concurrent(): number;
  kept: number;
  littleMs: number;
  runningPerClient: number;
  spent: SpentTimes;
  clock(): number;
};

export function createClientRoll({ concurrent, kept, littleMs, runningPerClient, spent, clock }: Options) {
  const clients = new Map<string, Client>();
  const totals = { running: 0, inKept: 0, waiting: 0, size: 0 };
  let touches = 0;

  const hasFree = (): boolean => totals.running - totals.inKept < concurrent();
  const hasKept = (): boolean => totals.inKept < kept;
  const mayUseKept = ({ name, running }: Client): boolean => running === 0 && spent.of(name) <= littleMs;

  function touch(client: Client): void {
    client.since = clock();
    touches += 1;
    client.touched = touches;
  }

  function forgetIdle({ name, running, waiting }: Client): void {
    if (running === 0 && waiting.length === 0) clients.delete(name);
  }

  function removeAt(client: Client, place: number): Waiting {
    const [one] = client.waiting.splice(place, 1);
    client.size -= one!.size;
    totals.waiting -= 1;
    totals.size -= one!.size;
    forgetIdle(client);
    return one!;
  }

  function isBefore(one: Client, other: Client): boolean {
    if (one.running !== other.running) return one.running < other.running;
    const [ofOne, ofOther] = [spent.of(one.name), spent.of(other.name)];
    return ofOne === ofOther ? one.touched < other.touched : ofOne < ofOther;
  }

  return {
    totals: totals as Readonly<typeof totals>,
    find(name: string): Client {
      const known = clients.get(name);
      if (known) return known;
      const client = { name, waiting: [], size: 0, running: 0, begun: 0, since: 0, touched: 0 };
      touch(client);
      return client;
    },
    /** Whether it need not wait. */
    mayBegin: (client: Client): boolean =>
      client.running < runningPerClient && (hasFree() || (hasKept() && mayUseKept(client))),
    add(client: Client, one: Waiting): void {
      clients.set(client.name, client);
      client.waiting.push(one);
      client.size += one.size;
      totals.waiting += 1;
      totals.size += one.size;
    },
    /** Whether it was waiting. */
    remove(client: Client, one: Waiting): boolean {
      const place = client.waiting.indexOf(one);
      if (place < 0) return false;
      removeAt(client, place);
      return true;
    },
    removeNewest: (client: Client): Waiting => removeAt(client, client.waiting.length - 1),
    /** Counts the next one as running and returns it; null = no client's turn. */
    takeNext(): { one: Waiting; isKept: boolean } | null {
      const isFree = hasFree();
      if (!isFree && !hasKept()) return null;
      let next: Client | null = null;
      for (const client of clients.values()) {
        if (client.waiting.length === 0 || client.running >= runningPerClient) continue;
        if (!isFree && !mayUseKept(client)) continue;
        if (next === null || isBefore(client, next)) next = client;
      }
      if (next === null) return null;
      next.running += 1;
      next.begun += 1;
      totals.running += 1;
      if (!isFree) totals.inKept += 1;
      touch(next);
      return { one: removeAt(next, 0), isKept: !isFree };
    },
    end(client: Client, isKept: boolean): void {
      client.running -= 1;
      totals.running -= 1;
      if (isKept) totals.inKept -= 1;
      touch(client);
      forgetIdle(client);
    },
    largest: (amountOf: AmountOf): Client | null => findLargest(clients.values(), amountOf),
    /** Those with something that waits. */
    countWaitingClients: (): number => [...clients.values()].filter(({ waiting }) => waiting.length > 0).length,
    /** How long the client that has waited longest without anything running has been waiting. */
    waitMs(): number {
      const idle = [...clients.values()].filter(({ running }) => running === 0);
      return idle.reduce((longest, { since }) => Math.max(longest, clock() - since), 0);
    },
    takeAllWaiting: (): Waiting[] =>
      [...clients.values()].flatMap((client) => [...client.waiting].map(() => removeAt(client, 0))),
  };
}

function findLargest(clients: Iterable<Client>, amountOf: AmountOf): Client | null {
  let largest: Client | null = null;
  for (const one of clients) if (largest === null || amountOf(one) > amountOf(largest)) largest = one;
  return largest;
}
