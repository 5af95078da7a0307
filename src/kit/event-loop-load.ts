// How busy this thread's event loop is, looked at a few times a second.
import { performance } from 'node:perf_hooks';

export type EventLoopLoad = {
  /** The share of the last moments in which the loop had work to do, 0 to 1. */
  utilization(): number;
  close(): void;
};

const lookEveryMs = 250;

export function watchEventLoop(): EventLoopLoad {
  let last = performance.eventLoopUtilization();
  let utilization = 0;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    ({ utilization } = performance.eventLoopUtilization(now, last));
    last = now;
  }, lookEveryMs).unref();
  return {
    utilization: () => utilization,
    close: () => clearInterval(timer),
  };
}
