// The attacker of a service in a process of its own, so that its work is not that of the clients that are timed beside
// it. Told to spin it takes as much of the processors as an attack did, and asks nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadOptions, timeLoad } from './http-load.ts';

export type AttackLoad = Pick<LoadOptions, 'url' | 'paths' | 'bodies' | 'connections' | 'addresses'>;

/** `share`: of one processor. */
export type ToAttacker = { kind: 'attack'; load: AttackLoad } | { kind: 'spin'; share: number } | { kind: 'stop' };

/** `share`: of one processor, from its begin to its end. */
export type FromAttacker = { statuses: [number, number][]; share: number };

/** Such a part is spun, then it rests. */
const spinEveryMs = 20;

let end: (() => Promise<FromAttacker>) | null = null;

process.on('message', (message: ToAttacker) => {
  if (message.kind === 'stop') void end?.().then((said) => process.send!(said));
  else end = message.kind === 'attack' ? attack(message.load) : spin(message.share);
});

function attack(load: AttackLoad): () => Promise<FromAttacker> {
  const shareSince = measureShare();
  const statuses = new Map<number, number>();
  const ending = new AbortController();
  const isExpected = (status: number): boolean => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    return status < 600;
  };
  const running = timeLoad({ ...load, seconds: 600, isExpected, signal: ending.signal });
  return async () => {
    const share = shareSince();
    ending.abort();
    await running;
    return { statuses: [...statuses], share };
  };
}

function spin(share: number): () => Promise<FromAttacker> {
  const shareSince = measureShare();
  let isOver = false;
  const running = run();
  return async () => {
    isOver = true;
    const spun = shareSince();
    await running;
    return { statuses: [], share: spun };
  };

  async function run(): Promise<void> {
    const busyMs = Math.min(1, share) * spinEveryMs;
    while (!isOver) {
      for (const until = performance.now() + busyMs; performance.now() < until; );
      await sleep(spinEveryMs - busyMs);
    }
  }
}

function measureShare(): () => number {
  const [begunMs, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / (performance.now() - begunMs);
  };
}
