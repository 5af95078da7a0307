import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { type ClientPlacesOptions, createClientPlaces, PlacesFull } from './client-places.ts';

function openPlaces(options: Partial<ClientPlacesOptions> = {}) {
  const withdrawn: string[] = [];
  const places = createClientPlaces({ max: 4, ...options });
  const enter = (client: string, name = client, size?: number) =>
    places.enter(client, { withdraw: () => withdrawn.push(name), ...(size === undefined ? {} : { size }) });
  const tryTo = (client: string, name?: string, size?: number): string => {
    try {
      enter(client, name, size);
      return 'in';
    } catch (error) {
      return (error as PlacesFull).by;
    }
  };
  return { places, withdrawn, enter, tryTo };
}

test('one client may have all places, until others come', () => {
  const { withdrawn, tryTo, places } = openPlaces();
  expect(['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => tryTo('a', name))).toEqual(['in', 'in', 'in', 'in', 'client']);
  expect([tryTo('b', 'b1'), tryTo('c', 'c1'), tryTo('b', 'b2'), tryTo('c', 'c2')]).toEqual([
    ...['in', 'in', 'client', 'client'],
  ]);
  expect(withdrawn).toEqual(['a4', 'a3']);
  expect(places.load()).toEqual({ held: 4, clients: 3, largest: 2 });
});

test('who holds nothing is refused for what all hold, and everybody else for what it holds itself', () => {
  const { tryTo, withdrawn } = openPlaces({ max: 2 });
  expect([tryTo('a'), tryTo('b'), tryTo('c'), tryTo('a')]).toEqual(['in', 'in', 'all', 'client']);
  expect(withdrawn).toEqual([]);
});

test('places go by their rank, and some cannot go', () => {
  const { places, withdrawn } = openPlaces({ max: 4, withdraws: 'oldest', replacesOwn: true });
  const enter = (client: string, name: string, rank: (isOwn: boolean) => number | null) =>
    places.enter(client, { withdraw: () => withdrawn.push(name), rank });
  enter('a', 'a1', () => null);
  enter('a', 'a2', () => 2);
  enter('a', 'a3', (isOwn) => (isOwn ? null : 1));
  enter('a', 'a4', (isOwn) => (isOwn ? null : 1));
  enter('b', 'b1', () => 0);
  expect(withdrawn).toEqual(['a3']);
  enter('a', 'a5', () => null);
  expect(withdrawn).toEqual(['a3', 'a2']);
  expect(() => enter('a', 'a6', () => 0)).toThrow(PlacesFull);
  enter('b', 'b2', () => 0);
  expect(withdrawn).toEqual(['a3', 'a2', 'a4']);
  expect(() => enter('c', 'c1', () => 0)).not.toThrow();
  expect([places.heldBy('a'), places.heldBy('b'), places.heldBy('c')]).toEqual([2, 1, 1]);
});

test('the oldest goes, where it was not used lately', () => {
  const { withdrawn, enter, tryTo } = openPlaces({ max: 3, withdraws: 'oldest' });
  const [first] = [enter('a', 'a1'), enter('a', 'a2'), enter('a', 'a3')];
  first!.use();
  expect(tryTo('b', 'b1')).toBe('in');
  expect(withdrawn).toEqual(['a2']);
});

test('a client gives up its own oldest, where it is told so', () => {
  const { withdrawn, tryTo } = openPlaces({ max: 3, perClient: 2, replacesOwn: true, withdraws: 'oldest' });
  for (const name of ['a1', 'a2', 'a3']) expect(tryTo('a', name)).toBe('in');
  expect(withdrawn).toEqual(['a1']);
  expect(openPlaces({ perClient: 2 }).tryTo('a', 'x', 3)).toBe('client');
});

test('a place that was left, or withdrawn, is left once', () => {
  const { enter, places } = openPlaces({ max: 2 });
  const first = enter('a');
  enter('a');
  enter('b');
  first.leave();
  first.leave();
  expect(places.held()).toBe(1);
});

test('whatever comes and goes: sums are right, bounds hold, and who holds least is never refused for who holds most', () => {
  const step = record({
    client: constantFrom('a', 'b', 'c', 'd'),
    size: integer({ min: 1, max: 3 }),
    leaves: boolean(),
    which: integer({ min: 0, max: 20 }),
  });
  assert(
    property(array(step, { maxLength: 80 }), boolean(), (steps, replacesOwn) => {
      const places = createClientPlaces({ max: 10, replacesOwn });
      let held: { client: string; size: number; leave(): void }[] = [];
      const sumOf = (client: string): number =>
        held.filter((one) => one.client === client).reduce((sum, { size }) => sum + size, 0);
      for (const { client, size, leaves, which } of steps) {
        if (leaves && held.length > 0) {
          const [one] = held.splice(which % held.length, 1);
          one!.leave();
        } else {
          const others = ['a', 'b', 'c', 'd'].filter((one) => one !== client);
          const before = others.map(sumOf);
          const own = { client, size, leave: () => {} };
          try {
            const place = places.enter(client, {
              size,
              withdraw: () => {
                held = held.filter((one) => one !== own);
              },
            });
            own.leave = place.leave;
            held.push(own);
          } catch (error) {
            expect(error).toBeInstanceOf(PlacesFull);
            // Nobody gave up anything in vain, and others do not have as much more as it needs.
            expect(others.map(sumOf)).toEqual(before);
            const excess = before.reduce((sum, one) => sum + Math.max(0, one - sumOf(client) - size), 0);
            expect(excess).toBeLessThan(places.held() + size - 10);
          }
        }
        expect(places.held()).toBe(held.reduce((sum, one) => sum + one.size, 0));
        expect(places.held()).toBeLessThanOrEqual(10);
        const sums = ['a', 'b', 'c', 'd'].map(sumOf);
        expect(places.load()).toMatchObject({
          largest: Math.max(...sums),
          clients: sums.filter((sum) => sum > 0).length,
        });
      }
    }),
  );
});
