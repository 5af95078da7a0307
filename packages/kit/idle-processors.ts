// How many of the machine's processors were idle recently.
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

export type IdleProcessors = {
  /** From 0 to the number of processors; 0 if unknown. */
  count(): number;
  close(): void;
};

const lookEveryMs = 250;

export function watchIdleProcessors(): IdleProcessors {
  let last = { idle: 0, all: 0 };
  let count = 0;
  const look = async (): Promise<void> => {
    const now = await readTimes();
    // The first value covers the time since boot, which is outdated.
    if (last.all > 0 && now.all > last.all) {
      count = (availableParallelism() * (now.idle - last.idle)) / (now.all - last.all);
    }
    last = now;
  };
  const timer = setInterval(look, lookEveryMs).unref();
  void look();
  return {
    count: () => count,
    close: () => clearInterval(timer),
  };
}

/** Ticks of all processors together since boot. */
async function readTimes(): Promise<{ idle: number; all: number }> {
  if (process.platform !== 'linux') return { idle: 0, all: 0 };
  const text = await readFile('/proc/stat', 'latin1').catch(() => '');
  // user nice system idle iowait irq softirq steal; the rest is included in the first two.
  const ticks = text.slice(0, text.indexOf('\n')).trim().split(/ +/).slice(1, 9).map(Number);
  const [, , , idle = 0, iowait = 0] = ticks;
  return { idle: idle + iowait, all: ticks.reduce((sum, one) => sum + one, 0) };
}
