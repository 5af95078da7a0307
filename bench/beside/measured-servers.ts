// The three servers over one database: the rival, the mirror without a cache of answers, and with one.
import { fileURLToPath } from 'node:url';
import { memoryEnvironment, memoryFlags } from '../../packages/kit/process/memory-flags.ts';
import type { Close } from '../support/close-at-end.ts';
import type { KeptLedger } from '../support/kept-ledger.ts';
import { type Child, startChild } from '../support/start-child.ts';
import type { MeasuredServer } from './measure-question.ts';
import { startRival } from './rival-service.ts';

/** The default of both on a small machine. */
export const poolSize = 10;

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** `clone`: of the rival; null = ours alone. */
export async function startServers(
  clone: string | null,
  { connectionString, dataFolder }: KeptLedger,
  later: (close: Close) => void,
): Promise<MeasuredServer[]> {
  const keep = (child: Child): Child => {
    later(child.stop);
    return child;
  };
  // What is refused has no cost: hence no limit of waiting. No launcher, so that the process id is the server's.
  const serve = (...flags: string[]): Promise<Child> =>
    startChild(
      [
        ...[...memoryFlags('serve'), main, 'serve', '--dialect', 'hiero', '--port', '0', '--log-level', 'warn'],
        ...['--status-service', 'off', '--max-wait', '0', '--database-connections', String(poolSize)],
        ...['--data-dir', dataFolder, '--database-url', connectionString, ...flags],
      ],
      undefined,
      { ...memoryEnvironment, NODE_ENV: 'production' },
    );
  const rival = clone === null ? [] : [keep(await startRival(clone, connectionString, poolSize))];
  const mirror = keep(await serve('--answer-cache', '0'));
  const kept = keep(await serve());
  const servers: MeasuredServer[] = [
    ...rival.map((child) => ({ side: 'rival' as const, ...child })),
    { side: 'mirror', ...mirror },
    { side: 'kept', ...kept },
  ];
  return servers.map(({ side, url, pid }) => ({ side, pid, url: url.replace(/\/$/, '') }));
}
