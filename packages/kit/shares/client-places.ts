// Places that clients hold for as long as they like: streams, filters, connections. When all are taken, the client that
// holds least takes one from the client that holds most, whose holder is notified. So one client may hold all of them
// while no other client wants any, and no number of its places keeps another out.

import { type Cause, CausedError, causeOfRefusal } from './cause.ts';

export class PlacesFull extends CausedError {
  /** `client`: for what it holds itself; `all`: it holds nothing, and no client holds more than it would. */
  readonly by: 'client' | 'all';
  readonly causedBy: Cause;

  constructor(by: 'client' | 'all') {
    super(by === 'client' ? 'The client holds its share of places.' : 'All places are held, and no client holds more.');
    this.name = 'PlacesFull';
    this.by = by;
    this.causedBy = causeOfRefusal(by);
  }
}

export type ClientPlaces = {
  /** Throws PlacesFull. */
  enter(client: string, options: PlaceOptions): Place;
  /** null instead of PlacesFull. */
  tryEnter(client: string, options: PlaceOptions): Place | null;
  /** Sum of the sizes that are held, by all and by one. */
  held(): number;
  heldBy(client: string): number;
  /** Sizes and number of clients. */
  load(): { held: number; clients: number; largest: number };
};

type PlaceOptions = {
  /** Called at most once, when the place went to another client: it is left already. */
  withdraw(): void;
  size?: number;
  /**
   * Of a client's places the one with the least number goes first; null = it cannot go now. `isOwn`: for another of its
   * client.
   */
  rank?(isOwn: boolean): number | null;
};

export type Place = {
  leave(): void;
  /**
   * It was used: of a client's places the one that was used longest ago is withdrawn first, where `withdraws` is
   * `oldest`.
   */
  use(): void;
};

export type ClientPlacesOptions = {
  /** The sum of sizes; a function is asked each time. A place has the size 1 if it says nothing. */
  max: number | (() => number);
  perClient?: number;
  /** Which place of the client with most goes; default: the newest. */
  withdraws?: 'newest' | 'oldest';
  /** Whether a client that would have most gives up its own oldest place, and is not refused. */
  replacesOwn?: boolean;
  onRefused?(by: PlacesFull['by']): void;
  onWithdrawn?(): void;
};

/** Clients that are looked at for a place, where the one with most has none to give. */
const maxAsked = 8;

type Held = Omit<PlaceOptions, 'size'> & { size: number };
type Client = { name: string; sum: number; places: Set<Held> };

export function createClientPlaces(options: ClientPlacesOptions): ClientPlaces {
  const { perClient = Number.POSITIVE_INFINITY, withdraws = 'newest', replacesOwn = false } = options;
  const max = typeof options.max === 'number' ? () => options.max as number : options.max;
  const clients = new Map<string, Client>();
  let held = 0;
  /** The client with most, until its sum shrinks: who is refused again and again costs no search. */
  let known: Client | null = null;

  function largest(): Client | null {
    if (known !== null) return known;
    for (const client of clients.values()) if (known === null || client.sum > known.sum) known = client;
    return known;
  }

  function remove(client: Client, place: Held): boolean {
    if (!client.places.delete(place)) return false;
    client.sum -= place.size;
    held -= place.size;
    if (client === known) known = null;
    if (client.places.size === 0) clients.delete(client.name);
    return true;
  }

  /** Whether one could go. */
  function withdrawFrom(client: Client, isOwn: boolean): boolean {
    const place = choosePlace(client.places, isOwn ? 'oldest' : withdraws, isOwn);
    if (place === null) return false;
    remove(client, place);
    options.onWithdrawn?.();
    place.withdraw();
    return true;
  }

  function refuse(by: PlacesFull['by']): never {
    options.onRefused?.(by);
    throw new PlacesFull(by);
  }

  function makeRoom(client: Client, size: number): void {
    if (size > Math.min(perClient, max())) refuse('client');
    const replaceOwn = (): boolean => replacesOwn && client.places.size > 0 && withdrawFrom(client, true);
    while (client.sum + size > perClient) if (!replaceOwn()) refuse('client');
    while (held + size > max()) {
      const needed = held + size - max();
      const mayTake = needed === 1 || excessOver(clients.values(), client, size) >= needed;
      if (!(mayTake && takeFrom(largest(), client, size)) && !replaceOwn()) refuse(client.sum > 0 ? 'client' : 'all');
    }
  }

  /**
   * Whether a client that has more than this one will have could give up a place: the one with most, else those that
   * follow.
   */
  function takeFrom(first: Client | null, client: Client, size: number): boolean {
    const hasMore = (other: Client): boolean => other !== client && other.sum > client.sum + size;
    if (first === null || !hasMore(first)) return false;
    if (withdrawFrom(first, false)) return true;
    const others = [...clients.values()].filter((other) => other !== first && hasMore(other));
    others.sort((one, other) => other.sum - one.sum);
    return others.slice(0, maxAsked).some((other) => withdrawFrom(other, false));
  }

  function enter(name: string, { size = 1, ...given }: PlaceOptions): Place {
    makeRoom(clients.get(name) ?? { name, sum: 0, places: new Set() }, size);
    // What was withdrawn may have been its last place.
    const client = clients.get(name) ?? { name, sum: 0, places: new Set() };
    clients.set(name, client);
    const place: Held = { ...given, size };
    client.places.add(place);
    client.sum += size;
    held += size;
    if (known !== null && client.sum > known.sum) known = client;
    return {
      leave: () => void remove(client, place),
      use() {
        if (client.places.delete(place)) client.places.add(place);
      },
    };
  }

  return {
    enter,
    tryEnter(name, placeOptions) {
      try {
        return enter(name, placeOptions);
      } catch (error) {
        if (error instanceof PlacesFull) return null;
        throw error;
      }
    },
    held: () => held,
    heldBy: (client) => clients.get(client)?.sum ?? 0,
    load: () => ({ held, clients: clients.size, largest: largest()?.sum ?? 0 }),
  };
}

/** By how much others have more than this one will have: with less than is needed no place is given up in vain. */
function excessOver(clients: Iterable<Client>, client: Client, size: number): number {
  let excess = 0;
  for (const other of clients) if (other !== client) excess += Math.max(0, other.sum - client.sum - size);
  return excess;
}

/** null = none can go. */
function choosePlace(places: ReadonlySet<Held>, which: 'newest' | 'oldest', isOwn: boolean): Held | null {
  let chosen: { place: Held; rank: number } | null = null;
  for (const place of places) {
    const rank = place.rank ? place.rank(isOwn) : 0;
    if (rank === null) continue;
    if (chosen === null || rank < chosen.rank || (rank === chosen.rank && which === 'newest')) chosen = { place, rank };
    // Nothing can be before it.
    if (which === 'oldest' && chosen.rank === 0) break;
  }
  return chosen?.place ?? null;
}
