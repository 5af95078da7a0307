// Status benchmark: memory of the status service while many clients read its pages, feeds and JSON, from a state in the
// middle of its life. Fails if the service exceeds its limit.
//
//   node scripts/run.mjs bench/status.ts [--seconds 120] [--connections 64]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { memoryEnvironment, memoryFlags } from '../packages/kit/process/memory-flags.ts';
import { makeDataFolder } from '../packages/postgres/embedded/data-folder.ts';
import { openStatusJournal } from '../packages/status/status-journal.ts';
import { emptyState } from '../packages/status/status-state.ts';
import { sampleState } from '../test/status-page/sample-state.ts';
import { measureLoad } from './support/http-load.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { withScratchFolder } from './support/scratch-folder.ts';
import { startChild } from './support/start-child.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    connections: { type: 'string', default: '64' },
  },
});
const seconds = Number(options.seconds);
const connections = Number(options.connections);
const steps = 12;
const maxMb = 200;

const paths = [
  '/status',
  '/status/history',
  '/status/history.atom',
  '/status/history.rss',
  '/status/maintenance.ics',
  '/status/badge.svg',
  '/api/v2/summary.json',
  '/api/v2/status.json',
  '/api/v2/incidents.json',
];

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
await withScratchFolder(async (folder) => {
  writeState(folder);
  const service = await startChild(
    [...memoryFlags('status'), main, 'status', 'serve', '--data-dir', folder, '--status-port', '0'],
    /: (http:\S+)\/status/,
    memoryEnvironment,
  );
  try {
    const rows = [['start', '', '', formatFigure(memoryMb(service.pid))]];
    let peakMb = 0;
    for (let step = 1; step <= steps; step += 1) {
      const { perSecond, p99Ms } = await measureLoad({
        url: service.url,
        paths,
        connections,
        seconds: seconds / steps,
      });
      const usedMb = memoryMb(service.pid);
      peakMb = Math.max(peakMb, usedMb);
      rows.push([
        formatFigure((step * seconds) / steps),
        formatFigure(perSecond),
        formatFigure(p99Ms),
        formatFigure(usedMb),
      ]);
    }
    printTable(['seconds', 'requests/s', 'p99 ms', 'memory, MB'], rows);
    if (peakMb >= maxMb) throw new Error(`The status service took ${formatFigure(peakMb)} MB; it may take ${maxMb}.`);
  } finally {
    await service.stop();
  }
});

function writeState(folder: string): void {
  const place = join(folder, 'status');
  makeDataFolder(place);
  const journal = openStatusJournal(place);
  journal.append(emptyState(), sampleState(), false);
  journal.close();
}

/** Resident memory. */
function memoryMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
