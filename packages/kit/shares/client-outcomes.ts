// How requests ended, client by client, since they were last asked for. In the way of every answer: one look into a map
// and a few sums (35 ns, with the name of the client). Names of clients stay in this program.

/**
 * `answered`: also what a client did wrong, and what is unknown. `refused`: because too much is asked, by all or by
 * this client. `failed`: by a fault of the service.
 */
export type Outcome = 'answered' | 'failed' | 'refused';

export type ClientOutcomes = {
  /** `durationMs`: null where it is as long as the client likes. */
  note(client: string, outcome: Outcome, durationMs: number | null): void;
  /** What another process took. */
  add(taken: OutcomesTaken): void;
  /** All since the last time. */
  take(): OutcomesTaken;
};

/** In a form that is cheap to send to another process: `numbersOfClient` numbers of each name, one after the other. */
export type OutcomesTaken = { clients: readonly string[]; numbers: Float64Array };

/**
 * Requests of one client that ended in each way. `durations`: numbers of answers up to each of `durationBoundsMs`, and
 * above.
 */
export type OutcomeCounts = Record<Outcome, number> & { durations: Float64Array };

/** Ascending. The rules of the status stand at two of them. */
export const durationBoundsMs: readonly number[] = [
  5, 10, 25, 50, 100, 250, 500, 750, 1000, 1500, 2000, 2500, 5000, 10_000,
];

/** More than these between two times to take are counted as one. */
export const maxClients = 10_000;
/** No client has this name. */
export const otherClients = 'others';

const outcomes: readonly Outcome[] = ['answered', 'failed', 'refused'];
const numbersOfClient = outcomes.length + durationBoundsMs.length + 1;

export function createClientOutcomes(): ClientOutcomes {
  let clients = new Map<string, OutcomeCounts>();
  return {
    note(client, outcome, durationMs) {
      const counts = clients.get(client) ?? findOutcomes(clients, client);
      counts[outcome] += 1;
      if (durationMs === null) return;
      let place = 0;
      while (place < durationBoundsMs.length && durationMs > durationBoundsMs[place]!) place += 1;
      counts.durations[place]! += 1;
    },
    add: (taken) => addOutcomes(clients, taken),
    take() {
      const taken = toTaken(clients);
      clients = new Map();
      return taken;
    },
  };
}

/** Adds what was taken to `sums`, which has at most `maxClients` and one. */
export function addOutcomes(sums: Map<string, OutcomeCounts>, { clients, numbers }: OutcomesTaken): void {
  clients.forEach((client, index) => {
    const counts = findOutcomes(sums, client);
    const from = index * numbersOfClient;
    outcomes.forEach((outcome, place) => {
      counts[outcome] += numbers[from + place]!;
    });
    for (let place = 0; place < counts.durations.length; place += 1) {
      counts.durations[place]! += numbers[from + outcomes.length + place]!;
    }
  });
}

function findOutcomes(sums: Map<string, OutcomeCounts>, client: string): OutcomeCounts {
  const name = sums.has(client) || sums.size < maxClients ? client : otherClients;
  let counts = sums.get(name);
  if (counts === undefined) {
    counts = { answered: 0, failed: 0, refused: 0, durations: new Float64Array(durationBoundsMs.length + 1) };
    sums.set(name, counts);
  }
  return counts;
}

function toTaken(sums: ReadonlyMap<string, OutcomeCounts>): OutcomesTaken {
  const numbers = new Float64Array(sums.size * numbersOfClient);
  let place = 0;
  for (const counts of sums.values()) {
    for (const outcome of outcomes) {
      numbers[place] = counts[outcome];
      place += 1;
    }
    numbers.set(counts.durations, place);
    place += counts.durations.length;
  }
  return { clients: [...sums.keys()], numbers };
}
