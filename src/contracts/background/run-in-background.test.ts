import { expect, it, vi } from 'vitest';
import { type RunningWork, runInBackground } from './run-in-background.ts';

const pauses = { stepMs: 1, lookMs: 1, idleMs: 5, busyMs: 20, leaseMs: 1 };
const until = (isMet: () => boolean) => vi.waitUntil(isMet, { timeout: 30_000, interval: 1 });

type Given = {
  isBusy?: () => boolean;
  steps?: (number: number) => 'sweep' | null;
  takes?: (number: number) => boolean;
};

/** What happens, in order. */
function start({ isBusy = () => false, steps = () => null, takes = () => true }: Given) {
  const events: string[] = [];
  let stepped = 0;
  let taken = 0;
  let isHeld = true;
  const running: RunningWork = runInBackground({
    pauses,
    isBusy,
    turn: () => 0,
    async takeLease() {
      taken += 1;
      events.push('take');
      if (!takes(taken)) return null;
      isHeld = true;
      return { isHeld: () => isHeld, release: async () => void events.push('release') };
    },
    what: 'the search for sources of contracts',
    async step() {
      stepped += 1;
      events.push('step');
      return steps(stepped);
    },
    onProgress: async () => void events.push('progress'),
    log: (sentence, error) => void events.push(`${sentence}: ${error.message}`),
  });
  return {
    events,
    running,
    lose() {
      isHeld = false;
    },
    steps: () => stepped,
  };
}

it('works through what there is, and goes on looking', async () => {
  const { events, running, steps } = start({ steps: (number) => (number <= 3 ? 'sweep' : null) });
  await until(() => steps() > 5);
  await running.close();
  expect(events.slice(0, 9)).toEqual([
    'take',
    'progress',
    'step',
    'progress',
    'step',
    'progress',
    'step',
    'progress',
    'step',
  ]);
  expect(events.at(-1)).toBe('release');
});

it('waits until another process gives the lease away, and begins again when it is lost', async () => {
  const { events, running, lose, steps } = start({ takes: (number) => number > 2 });
  await until(() => steps() > 0);
  expect(events.slice(0, 4)).toEqual(['take', 'take', 'take', 'progress']);
  lose();
  await until(() => events.filter((event) => event === 'take').length === 4);
  await running.close();
  expect(events).toContain('release');
});

it('gives way, but not for ever', async () => {
  const { running, steps } = start({ isBusy: () => true });
  await until(() => steps() >= 3);
  await running.close();
});

it('says what interrupted it, and goes on', async () => {
  const { events, running, steps } = start({
    steps(number) {
      if (number === 1) throw new Error('the database is gone');
      return null;
    },
  });
  await until(() => steps() > 1);
  await running.close();
  expect(events).toContain('the search for sources of contracts was interrupted: the database is gone');
});
