// Time that clients took, which is forgotten by halves.

export type SpentTimes = {
  /** ms, as far as it is remembered. */
  of(client: string): number;
  add(client: string, ms: number): void;
};

/** Until half of it is forgotten, ms. */
const halvesMs = 10_000;
/** The client whose time was counted longest ago is forgotten first. */
const maxClients = 10_000;

/** `clock`: monotonic, ms. */
export function createSpentTimes(clock: () => number): SpentTimes {
  const times = new Map<string, { ms: number; at: number }>();
  const of = (client: string): number => {
    const time = times.get(client);
    return time === undefined ? 0 : time.ms * 0.5 ** ((clock() - time.at) / halvesMs);
  };
  return {
    of,
    add(client, ms) {
      const sum = of(client) + ms;
      times.delete(client);
      times.set(client, { ms: sum, at: clock() });
      if (times.size > maxClients) times.delete(times.keys().next().value!);
    },
  };
}
