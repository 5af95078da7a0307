// The share of a processor that this thread used, sampled a few times a second. The event loop's utilization also
// counts time in which the thread was ready but other programs had all processors.
export type ThreadLoad = {
  /** The share of the last moments in which the thread ran, 0 to 1. */
  share(): number;
  close(): void;
};

const lookEveryMs = 250;

export function watchThread(): ThreadLoad {
  let last = { at: performance.now(), usage: process.threadCpuUsage() };
  let share = 0;
  const timer = setInterval(() => {
    const now = { at: performance.now(), usage: process.threadCpuUsage() };
    const usedMs = (now.usage.user + now.usage.system - last.usage.user - last.usage.system) / 1000;
    share = usedMs / (now.at - last.at);
    last = now;
  }, lookEveryMs).unref();
  return {
    share: () => share,
    close: () => clearInterval(timer),
  };
}
