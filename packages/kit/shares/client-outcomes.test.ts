import { array, assert, constantFrom, double, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import {
  addOutcomes,
  createClientOutcomes,
  durationBoundsMs,
  maxClients,
  type OutcomeCounts,
  type OutcomesTaken,
  otherClients,
} from './client-outcomes.ts';

function read(...taken: OutcomesTaken[]): Record<string, Omit<OutcomeCounts, 'durations'> & { durations: number[] }> {
  const sums = new Map<string, OutcomeCounts>();
  for (const one of taken) addOutcomes(sums, one);
  return Object.fromEntries(
    [...sums].map(([client, counts]) => [client, { ...counts, durations: [...counts.durations] }]),
  );
}

test('counts how requests ended, and how long answers took up to and above each bound', () => {
  const outcomes = createClientOutcomes();
  for (const ms of [0, 5, 5.1, 2000, 2001, 60_000]) outcomes.note('a', 'answered', ms);
  outcomes.note('a', 'failed', null);
  outcomes.note('b', 'refused', 0);
  const taken = read(outcomes.take());
  const durations = [...durationBoundsMs, Number.POSITIVE_INFINITY].map(
    (bound) => ({ 5: 2, 10: 1, 2000: 1, 2500: 1 })[bound] ?? (bound === Number.POSITIVE_INFINITY ? 1 : 0),
  );
  expect(taken.a).toEqual({ answered: 6, failed: 1, refused: 0, durations });
  expect(taken.b).toMatchObject({ answered: 0, failed: 0, refused: 1 });
  expect(read(outcomes.take())).toEqual({});
});

test('of more clients than are counted the rest is one', () => {
  const outcomes = createClientOutcomes();
  for (let client = 0; client < maxClients + 5; client += 1) outcomes.note(`${client}`, 'failed', 1);
  outcomes.note('0', 'answered', 1);
  const taken = outcomes.take();
  expect(taken.clients).toHaveLength(maxClients + 1);
  const sums = read(taken);
  expect(sums['0']).toMatchObject({ answered: 1, failed: 1 });
  expect(sums[otherClients]).toMatchObject({ answered: 0, failed: 5 });
  // Sums of several times and processes are bounded, too.
  for (let client = 0; client < maxClients; client += 1) outcomes.note(`later ${client}`, 'failed', 1);
  expect(Object.keys(read(taken, outcomes.take()))).toHaveLength(maxClients + 1);
});

test('what several processes and times took is as if one had counted all', () => {
  const note = record({
    client: constantFrom('a', 'b', 'c'),
    outcome: constantFrom('answered', 'failed', 'refused'),
    durationMs: double({ min: 0, max: 20_000, noNaN: true }),
    process: constantFrom(0, 1),
  });
  assert(
    property(array(array(note)), (times) => {
      const [one, ...others] = [0, 1, 2].map(() => createClientOutcomes());
      const leader = createClientOutcomes();
      const taken = times.map((notes) => {
        for (const { client, outcome, durationMs, process } of notes) {
          one!.note(client, outcome, durationMs);
          others[process]!.note(client, outcome, durationMs);
        }
        for (const other of others) leader.add(other.take());
        return leader.take();
      });
      expect(read(...taken)).toEqual(read(one!.take()));
    }),
  );
});
