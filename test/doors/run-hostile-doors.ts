// node scripts/run.mjs test/doors/run-hostile-doors.ts [--quiet <n>] [--deaf <n>] [--blocks <n>]: ten thousand quiet
// subscribers come to a server, then thousands of web sockets, event streams and gRPC calls that read nothing, frames
// of 100 MB, half-open connections, floods of pings, and subscriptions with as many topics as possible. Prints how much
// memory the server holds for each kind, and the slowest answer to others meanwhile. Needs as many open files (`ulimit
// -n`). Exit code 0 only when others were answered and 10,000 quiet ones hold at most 100 MB.
import { parseArgs } from 'node:util';
import { attackDoors } from './attack-doors.ts';

const { values } = parseArgs({
  options: {
    quiet: { type: 'string', default: '10000' },
    deaf: { type: 'string', default: '5000' },
    blocks: { type: 'string', default: '20' },
  },
});
const [quiet, deaf] = [Number(values.quiet), Number(values.deaf)];
const share = (part: number): number => Math.ceil(deaf * part);
const outcomes = await attackDoors({
  counts: {
    ...{
      quiet,
      quietGrpc: Math.ceil(quiet / 5),
      deafSockets: share(0.6),
      deafEvents: share(0.2),
      deafGrpc: share(0.2),
    },
    ...{ hugeFrames: 50, halfOpen: share(0.1), pings: 20, greedy: share(0.02) },
  },
  blocks: Number(values.blocks),
  onOutcome: ({ name, count, grownMb, ended, slowestMs, failures }) =>
    console.log(
      `${count} ${name}: ${grownMb.toFixed(1)} MB more, ${ended} ended; others: slowest ${slowestMs.toFixed(0)} ms, ${failures} failed`,
    ),
});
const tooMuch = outcomes.filter(({ name, grownMb, count }) => name.startsWith('quiet') && grownMb / count > 0.01);
process.exit(tooMuch.length > 0 || outcomes.some(({ failures }) => failures > 0) ? 1 : 0);
