// Loaded into a measured program (`node --import`): when the program ends, its CPU time and memory are written to the
// file that BENCH_USAGE_FILE names. The launcher above it, and processes that it starts, write nothing.
import { writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';

const path = process.env.BENCH_USAGE_FILE;
if (path && process.argv[1]?.endsWith('main.ts')) {
  const sampleMs = 250;
  const samplesMb: number[] = [];
  let gcPauseSeconds = 0;
  const pauses = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gcPauseSeconds += duration / 1000;
  });
  pauses.observe({ entryTypes: ['gc'] });
  setInterval(() => samplesMb.push(process.memoryUsage.rss() / 2 ** 20), sampleMs).unref();
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const thread = process.threadCpuUsage();
    const usage = {
      peakMb: maxRSS / 1024,
      samplesMb,
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      mainThreadSeconds: (thread.user + thread.system) / 1e6,
      gcPauseSeconds,
    };
    writeFileSync(path, JSON.stringify(usage));
  });
}
