import { expect, test } from 'vitest';
import { createClientLine } from './client-line.ts';
import { createSharedTurns } from './shared-turns.ts';

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

function openShared() {
  const line = createClientLine({ concurrent: 1, waiting: { count: 100 } });
  const shared = createSharedTurns<string>();
  const begun: string[] = [];
  const ends: ((value: string) => void)[] = [];
  const fails: ((error: Error) => void)[] = [];
  const ask = (key: string, client: string, signal?: AbortSignal): Promise<string> =>
    shared.share(key, client, {
      enter: (begin, left) => line.pass(client, begin, { signal: left }),
      work: () => {
        begun.push(`${client} ${key}`);
        return new Promise((done, fail) => {
          ends.push(done);
          fails.push(fail);
        });
      },
      ...(signal && { signal }),
    });
  return { line, ask, begun, ends, fails };
}

test('what several want is done once', async () => {
  const { ask, begun, ends, line } = openShared();
  const asked = ['a', 'b', 'a', 'c'].map((client) => ask('x', client));
  await settled();
  ends[0]!('done');
  expect(await Promise.all(asked)).toEqual(['done', 'done', 'done', 'done']);
  expect(begun).toEqual(['a x']);
  expect(line.load()).toMatchObject({ running: 0, waiting: 0 });
});

test('nobody waits behind what another client waits for', async () => {
  const { ask, begun, ends, line } = openShared();
  const many = ['1', '2', '3', 'x'].map((key) => ask(key, 'many'));
  await settled();
  const own = ask('x', 'one');
  await settled();
  ends[0]!('1');
  await settled();
  expect(begun).toEqual(['many 1', 'one x']);
  // Whoever wants it now has no turn of its own.
  expect(line.load()).toMatchObject({ running: 1, waiting: 2 });
  ends[1]!('x');
  expect(await own).toBe('x');
  expect(await many[3]).toBe('x');
});

test('who goes takes nothing with it that others wait for', async () => {
  const { ask, begun, ends, line } = openShared();
  const leave = await line.enter('other');
  const leaving = new AbortController();
  const [gone, stays, ofSame] = [ask('x', 'a', leaving.signal), ask('x', 'b'), ask('x', 'a')];
  leaving.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  leave();
  await settled();
  ends[0]!('done');
  expect(await Promise.all([stays, ofSame])).toEqual(['done', 'done']);
  expect(begun).toHaveLength(1);
});

test('what failed is begun again', async () => {
  const { ask, begun, fails, ends } = openShared();
  const first = ask('x', 'a');
  await settled();
  fails[0]!(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  const second = ask('x', 'a');
  await settled();
  ends[1]!('done');
  expect(await second).toBe('done');
  expect(begun).toHaveLength(2);
});

test('of more clients than wait for turns the others wait, too', async () => {
  const { ask, begun, ends } = openShared();
  const asked = Array.from({ length: 40 }, (_, place) => ask('x', `client ${place}`));
  await settled();
  ends[0]!('done');
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['done']));
  expect(begun).toHaveLength(1);
});
