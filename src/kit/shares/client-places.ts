// Places that clients hold for as long as they like: streams, filters, connections. When all are taken, the client that holds
// least takes one from the client that holds most, whose holder is told. So one client may hold all of them while nobody else
// wants any, and no number of its places keeps another out.

export class PlacesFull extends Error {
  /** `client`: it holds as much as one client may; `all`: everything is held, and nobody holds more than it would. */
  readonly by: 'client' | 'all';

  constructor(by: 'client' | 'all') {
    super(by === 'client' ? 'The client holds its share of places.' : 'All places are held, and no client holds more.');
    this.name = 'PlacesFull';
    this.by = by;
  }
}

export type ClientPlaces = {
  /** Throws PlacesFull. `withdraw` is called at most once, when the place went to another client: it is left already. */
  enter(client: string, options: { withdraw(): void; size?: number }): Place;
  /** Sum of the sizes that are held. */
  held(): number;
  /** Sizes and number of clients. */
  load(): { held: number; clients: number; largest: number };
};

export type Place = {
  leave(): void;
  /** It was used: of a client's places the one that was used longest ago is withdrawn first, where `withdraws` is `oldest`. */
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

type Held = { size: number; withdraw(): void };
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

  function withdrawFrom(client: Client, which: 'newest' | 'oldest'): void {
    const places = [...client.places];
    const place = which === 'newest' ? places.at(-1)! : places[0]!;
    remove(client, place);
    options.onWithdrawn?.();
    place.withdraw();
  }

  function refuse(by: PlacesFull['by']): never {
    options.onRefused?.(by);
    throw new PlacesFull(by);
  }

  function makeRoom(client: Client, size: number): void {
    if (size > Math.min(perClient, max())) refuse('client');
    while (client.sum + size > perClient) {
      if (!replacesOwn) refuse('client');
      withdrawFrom(client, 'oldest');
    }
    while (held + size > max()) {
      const other = largest();
      if (other !== null && other !== client && other.sum > client.sum + size) withdrawFrom(other, withdraws);
      else if (replacesOwn && client.places.size > 0) withdrawFrom(client, 'oldest');
      else refuse('all');
    }
  }

  return {
    enter(name, { withdraw, size = 1 }) {
      makeRoom(clients.get(name) ?? { name, sum: 0, places: new Set() }, size);
      // What was withdrawn may have been its last place.
      const client = clients.get(name) ?? { name, sum: 0, places: new Set() };
      clients.set(name, client);
      const place: Held = { size, withdraw };
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
    },
    held: () => held,
    load: () => ({ held, clients: clients.size, largest: largest()?.sum ?? 0 }),
  };
}
