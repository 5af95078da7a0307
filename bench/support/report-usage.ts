// Loaded into a measured program (`node --import`): when the program ends, its peak memory and CPU time go to the file that
// BENCH_USAGE_FILE names. The launcher above it, and processes that it starts, say nothing.
import { writeFileSync } from 'node:fs';

const path = process.env.BENCH_USAGE_FILE;
if (path && process.argv[1]?.endsWith('main.ts')) {
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(path, JSON.stringify({ peakMb: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }));
  });
}
