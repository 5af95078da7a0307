// Loaded before a measured program (`node --import`): when the program ends, its peak memory and CPU time go to the file
// that BENCH_USAGE_FILE names.
import { writeFileSync } from 'node:fs';

const path = process.env.BENCH_USAGE_FILE;
if (path) {
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(path, JSON.stringify({ peakMb: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }));
  });
}
