// `node scripts/run.mjs test/soak/run-cache-proof.ts --seconds 300 --replica`: servers with an answer cache are asked
// at random while the ledger grows, and every answer is compared with what a server without one says (prove-cache.ts).
// `--replica`: on PostgreSQL 15 as Debian packages it, with a streaming replica that has a server, too. Exit code 0
// only when all agree.
import { parseArgs } from 'node:util';
import { type DebianPostgres, startDebianPostgres } from '../../packages/test-support/postgres/debian-postgres.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { type ProofReplica, type ProofServer, proveCache } from './prove-cache.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    replica: { type: 'boolean', default: false },
  },
});
const debian = values.replica ? await startDebianPostgres() : null;
const scratch = debian ? [] : [await createScratchDatabase(), await createScratchDatabase()];
try {
  for (const name of debian ? ['live', 'truth'] : []) await debian!.run(`create database ${name}`);
  const [live, truth] = debian
    ? ['live', 'truth'].map((name) => debian.connectionString('admin', name))
    : scratch.map(({ connectionString }) => connectionString);
  const { wrong, servers, statuses, ...counts } = await proveCache({
    seed: values.seed,
    seconds: Number(values.seconds),
    live: live!,
    truth: truth!,
    serve: serveAside,
    ...(debian ? { startReplica: () => startReplica(debian) } : {}),
    say: console.log,
  });
  console.log(counts, statuses);
  console.table(servers);
  console.log(
    wrong.length === 0 ? 'Every answer was right.' : `${wrong.length} WRONG:\n${wrong.slice(0, 50).join('\n')}`,
  );
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  for (const each of scratch) await each.close();
  await debian?.close();
}

async function startReplica(primary: DebianPostgres): Promise<ProofReplica> {
  const { connectionString, kill } = await primary.startReplica();
  return { connectionString: connectionString('admin', 'live'), close: kill };
}

async function serveAside(flags: string[]): Promise<ProofServer> {
  const { child, says, ended } = runMirror(['serve', '--log-level', 'warn', ...flags]);
  return {
    url: (await says(/Answering on (\S+)/))[1]!,
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
