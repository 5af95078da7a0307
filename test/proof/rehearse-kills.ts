// A block stream whose network proves its blocks in every way, with four places at which an import has to stop,
// imported by a process that is killed again and again: after each kill what is stored is whole, and at the end it is
// what an undisturbed import of the same blocks stores.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { createLabNetwork } from '../../packages/test-support/proofs/lab-network.ts';
import { type SignBlocksOptions, signBlocks } from '../../packages/test-support/proofs/sign-blocks.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';
import { dumpTables } from '../support/tables/dump-tables.ts';
import { compareTables, countBlocks } from '../support/tables/import-folder.ts';
import { ofTheRun } from '../support/tables/of-the-way.ts';

export type KillsOptions = {
  /** At least 200. */
  blocks: number;
  kills: number;
  seed: string;
  say?(line: string): void;
};

export type KillsReport = {
  kills: number;
  /** What was wrong with the tables after a kill, and with messages of the import. */
  problems: string[];
  /** Tables whose rows differ from those of the import without kills. */
  differences: string[];
  /** How many blocks each kind of proof covers, at the end. */
  kinds: Record<string, number>;
  origin: string;
  seconds: number;
};

/**
 * Of every twenty blocks: two are proved through a later one, one by a proof of two blocks on, two only by the chain.
 */
const plans: Record<number, 'none' | 'broken' | { later: number }> = {
  3: 'none',
  7: { later: 2 },
  8: { later: 1 },
  13: { later: 1 },
  17: 'broken',
};
const planOf = (number: number): ReturnType<NonNullable<SignBlocksOptions['proofOf']>> => {
  const plan = plans[number % 20];
  return typeof plan === 'object' ? number + plan.later : (plan ?? 'signed');
};

/** Files that take the place of good ones until the import has stopped at the first of them. */
type Stop = { at: number; files: Map<number, Buffer>; says: RegExp };

export async function rehearseKills({ blocks, kills, seed, say = () => {} }: KillsOptions): Promise<KillsReport> {
  const folder = mkdtempSync(join(tmpdir(), 'proved-kills-'));
  const databases = [await createScratchDatabase(), await createScratchDatabase()] as const;
  const [expected, actual] = databases.map(({ connectionString }) => openDatabase({ connectionString })) as [
    Database,
    Database,
  ];
  try {
    const started = performance.now();
    const { good, stops } = await makeBlocks(folder, blocks, seed);
    const source = join(folder, 'stream');
    mkdirSync(source);
    const put = (number: number, bytes: Buffer) =>
      writeFileSync(join(source, `${number}.blk.gz`), gzipSync(bytes, { level: 1 }));
    for (const [number, bytes] of good.entries()) put(number, bytes);
    const start = (database: { connectionString: string }, more: string[] = []) =>
      runMirror(['import', '--once', '--source', source, '--data-dir', join(folder, 'data'), ...more], {
        env: { DATABASE_URL: database.connectionString },
      });
    const undisturbed = start(databases[0]);
    if ((await undisturbed.ended) !== 0) throw new Error(undisturbed.output());
    say(`${blocks} blocks are signed and imported without kills`);

    for (const stop of stops) for (const [number, bytes] of stop.files) put(number, bytes);
    const moments = createSeededRandom(seed, 'moments of kills');
    const problems: string[] = [];
    const otherId = createLabNetwork({ weights: [1n], seed: `${seed} other` }).ledgerId;
    const refused = start(databases[1], ['--ledger-id', Buffer.from(otherId).toString('hex')]);
    if ((await refused.ended) !== 1 || !/which is pinned, .*found one of ledger/.test(refused.output())) {
      problems.push(`another ledger id was not refused: ${refused.output()}`);
    }
    const killsAt = Array.from({ length: kills }, () => moments.below(blocks)).sort((one, other) => one - other);
    let killed = 0;
    // The last kills may come when all is stored.
    for (let stored = 0; stored < blocks || killed < kills; stored = await countBlocks(actual)) {
      // Behind the head, and as at it: one block a commit.
      const importer = start(databases[1], moments.below(3) === 0 ? ['--commit-transactions', '0'] : []);
      // One whose place is stored already is killed as it starts.
      const killAt = killsAt[killed] ?? Number.POSITIVE_INFINITY;
      const code = await endOrKill(importer, actual, killAt, moments.below(killAt < stored ? 900 : 30));
      if (code === null) {
        killed += 1;
        say(`killed ${killed} times, at block ${await countBlocks(actual)}`);
      } else if (code === 1) {
        problems.push(...(await repair(stops, await countBlocks(actual), importer.output(), good, put)));
      } else if (code !== 0) {
        problems.push(`exit code ${code}: ${importer.output()}`);
      }
      problems.push(...(await findBroken(expected, actual)));
      if (problems.length > 0) break;
    }
    if (stops.length > 0) problems.push(`the import did not stop at ${stops.map(({ at }) => at).join(', ')}`);
    const differences = compareTables(
      await dumpTables(databases[0].connectionString, ofTheRun),
      await dumpTables(databases[1].connectionString, ofTheRun),
    );
    const { kinds, origin } = await readCovers(actual);
    return { kills: killed, problems, differences, kinds, origin, seconds: (performance.now() - started) / 1000 };
  } finally {
    for (const db of [expected, actual]) await db.close();
    for (const database of databases) await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeBlocks(folder: string, blocks: number, seed: string): Promise<{ good: Buffer[]; stops: Stop[] }> {
  const network = join(folder, 'network');
  await writeNetwork({
    folder: network,
    seed,
    nodes: 1,
    format: 'blocks',
    blocks,
    transactions: 2,
    keepBlocks: blocks,
  });
  const made = readBlocks(join(network, 'blocks'));
  rmSync(network, { recursive: true, force: true });
  const [own, foreign] = ['own', 'foreign'].map((name) =>
    createLabNetwork({ weights: [5n, 5n, 4n], seed: `${seed} ${name}` }),
  ) as [ReturnType<typeof createLabNetwork>, ReturnType<typeof createLabNetwork>];
  /** `end`: without this block and those after it. */
  const sign = (options: Partial<SignBlocksOptions> = {}, end = blocks) =>
    signBlocks(made.slice(0, end), { network: own, foreign, proofOf: planOf, ...options });
  /** Of every fifth of the stream, the first block of a group of twenty. */
  const place = (fifth: number) => Math.floor((fifth * blocks) / 5 / 20) * 20;
  const only = (at: number, plan: 'foreign' | 'signed') => (number: number) => (number === at ? plan : 'none');
  const [foreignAt, cutAt, changedAt, bareAt] = [1, 2, 3, 4].map(place) as [number, number, number, number];
  const fileOf = (all: readonly Buffer[], at: number, count = 1) =>
    new Map(all.slice(at, at + count).map((bytes, index) => [at + index, bytes]));
  const publications = { 0: own.publication };
  return {
    good: sign(),
    stops: [
      {
        at: foreignAt,
        files: fileOf(sign({ proofOf: only(foreignAt, 'foreign') }, foreignAt + 1), foreignAt),
        says: /its proof is not one of the trusted ledger: networkProof: expected attestation/,
      },
      {
        at: cutAt,
        // What a block of some time before publishes changes its root, and all that follow.
        files: fileOf(
          sign(
            { proofOf: only(cutAt, 'signed'), publications: { ...publications, [cutAt - 5]: own.publication } },
            cutAt + 1,
          ),
          cutAt,
        ),
        says: /not the successor of the last file: previousHash: expected/,
      },
      {
        at: changedAt,
        files: fileOf(
          sign(
            {
              // Signed by its own keys the block would hand over to that ledger.
              proofOf: only(changedAt, 'foreign'),
              publications: { ...publications, [changedAt]: foreign.publication },
            },
            changedAt + 1,
          ),
          changedAt,
        ),
        says: /networkProof: expected ledgerId: a publication of ledger [0-9a-f]{64}, which the first block declared, .*found one of ledger [0-9a-f]{64}/,
      },
      // To the end: behind the head one signature covers hundreds of blocks before it.
      {
        at: bareAt,
        files: fileOf(sign({ proofOf: () => 'none' }), bareAt, blocks - bareAt),
        says: /no signature of the network covers it: unproved: expected a good proof of ledger/,
      },
    ],
  };
}

/** null: killed. */
async function endOrKill(
  importer: RunningMirror,
  db: Database,
  killAt: number,
  pauseMs: number,
): Promise<number | null> {
  let isOver = false;
  const ended = importer.ended.then((code) => {
    isOver = true;
    return code;
  });
  while (!isOver && (await countBlocks(db)) < killAt) await sleep(5);
  if (!isOver) await Promise.race([sleep(pauseMs), ended]);
  if (!isOver) importer.child.kill('SIGKILL');
  return ended;
}

/** Puts the good files where the import has stopped; what is wrong with how it stopped. */
async function repair(
  stops: Stop[],
  stored: number,
  output: string,
  good: readonly Buffer[],
  put: (number: number, bytes: Buffer) => void,
): Promise<string[]> {
  const stop = stops.shift();
  if (!stop) return [`stopped without a reason at block ${stored}: ${output}`];
  for (const number of stop.files.keys()) put(number, good[number]!);
  const problems = stop.says.test(output) ? [] : [`stopped at block ${stored} and did not say ${stop.says}: ${output}`];
  return stored === stop.at ? problems : [...problems, `stopped with ${stored} blocks stored, not with ${stop.at}`];
}

/** Whole blocks without a gap, each covered by a signature, and nothing of a later one. */
async function findBroken(expected: Database, actual: Database): Promise<string[]> {
  const stored = await countBlocks(actual);
  if (stored === 0) return [];
  const [chain] = await actual.query<{ first: bigint; last: bigint; end: bigint; broken: bigint; open: bigint }>({
    name: '',
    text: `select min(index) as first, max(index) as last, max(consensus_end) as end,
count(*) filter (where prev_hash <> before) as broken,
(select count(*) from record_file left join block_verification v using (consensus_end)
 where v.rests_on is null or v.rests_on < index or (v.rests_on = index) <> (v.kind = 'signed')) as open
from (select *, lag(hash) over (order by index) as before from record_file) r`,
  });
  const { first, last, end, broken, open } = chain!;
  const problems: string[] = [];
  if (first !== 0n || last !== BigInt(stored - 1) || broken !== 0n) problems.push(`${stored} blocks are not a chain`);
  if (open !== 0n) problems.push(`${open} blocks are stored without a signature that covers them`);
  for (const [table, column] of timed) {
    const count = async (db: Database, when: string) => {
      const text = `select count(*) as count from ${table} where ${when}`;
      return (await db.query<{ count: bigint }>({ name: '', text, values: [end] }))[0]!.count;
    };
    const [there, wanted] = [await count(actual, `${column} <= $1`), await count(expected, `${column} <= $1`)];
    if (there !== wanted) problems.push(`${table} has ${there} rows, not ${wanted}, up to block ${last}`);
    const later = await count(actual, `${column} > $1`);
    if (later !== 0n) problems.push(`${table} has ${later} rows after block ${last}`);
  }
  return problems;
}

/** Rows of which no later block takes one away. */
const timed = [
  ['transaction', 'consensus_timestamp'],
  ['crypto_transfer', 'consensus_timestamp'],
  ['token_transfer', 'consensus_timestamp'],
  ['topic_message', 'consensus_timestamp'],
  ['contract_result', 'consensus_timestamp'],
  ['contract_log', 'consensus_timestamp'],
  ['block_proof', 'consensus_end'],
  ['block_verification', 'consensus_end'],
] as const;

async function readCovers(db: Database): Promise<{ kinds: Record<string, number>; origin: string }> {
  const rows = await db.query<{ kind: string; count: number }>({
    name: '',
    text: 'select kind::text as kind, count(*)::int4 as count from block_verification group by kind',
  });
  const [trust] = await db.query<{ origin: string }>({ name: '', text: 'select origin from ledger_trust' });
  return { kinds: Object.fromEntries(rows.map(({ kind, count }) => [kind, count])), origin: trust?.origin ?? 'none' };
}
