// A mirror that follows block nodes which fail in every way that is known, and is killed again and again: what it
// stores is compared with an import of the same blocks from a folder.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { freePort } from '../support/program/free-port.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';
import {
  type BlockNodeFault,
  type BlockNodeServer,
  blockNodeFaults,
  type PlannedFault,
  startBlockNodeServer,
} from '../support/servers/block-node-server.ts';
import { dumpTables } from '../support/tables/dump-tables.ts';
import { compareTables, countBlocks, importFolder } from '../support/tables/import-folder.ts';
import { ofTheWay } from '../support/tables/of-the-way.ts';

export type RehearsalOptions = {
  blocks: number;
  /** How often the importer is killed. */
  kills: number;
  seed: string;
  say?(line: string): void;
};

export type RehearsalReport = {
  /** Numbers of the blocks that are stored, in the order in which they were. */
  numbers: bigint[];
  /** How often each fault was shown to the importer. */
  faults: Record<BlockNodeFault, number>;
  kills: number;
  /** Tables whose rows differ from those of the import from a folder. */
  differences: string[];
  seconds: number;
};

export async function rehearseBlockNodes(options: RehearsalOptions): Promise<RehearsalReport> {
  const { blocks, kills, seed, say = () => {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'block-nodes-'));
  const [expected, actual] = [await createScratchDatabase(), await createScratchDatabase()];
  const random = createSeededRandom(seed, 'faults');
  const faults = Object.fromEntries(blockNodeFaults.map((fault) => [fault, 0])) as RehearsalReport['faults'];
  const servers: BlockNodeServer[] = [];
  let released = Math.floor(blocks / 2);
  const release = setInterval(() => {
    released = Math.min(blocks, released + 3);
  }, 20);
  try {
    await writeNetwork({ folder, seed, format: 'blocks', blocks, transactions: 2 });
    const addressBook = readFileSync(join(folder, 'addressbook.bin'));
    await importFolder(folder, addressBook, expected.connectionString);
    say(`${blocks} blocks are written and imported from their folder`);
    const blocksInFolder = readBlocks(join(folder, 'blocks'));
    const block = (number: bigint): Buffer => blocksInFolder[Number(number)]!;

    // Every fault in turn, each node from another one on; those first that were shown least, because a kill may come
    // before one.
    const plan = (first: number): (() => PlannedFault) => {
      let next = first;
      return () => {
        const inTurn = blockNodeFaults.map((_, at) => blockNodeFaults[(next + at) % blockNodeFaults.length]!);
        next += 1;
        const fault = inTurn.reduce((least, other) => (faults[other] < faults[least] ? other : least));
        return {
          fault,
          after: random.integer(2, Math.max(6, Math.floor(blocks / 100))),
          onFault: () => faults[fault]++,
        };
      };
    };
    const itemsPerMessage = (): number => random.integer(1, 12);
    const upTo = (last: number) => (last < 1 ? null : { first: 0n, last: BigInt(last - 1) });
    servers.push(
      await startBlockNodeServer({ block, available: () => upTo(released), nextFault: plan(0), itemsPerMessage }),
    );
    // The second one starts late, and is behind until the end.
    const latePort = await freePort();
    const startLate = async (): Promise<void> => {
      const available = () => upTo(released === blocks ? blocks : released - 20);
      servers.push(
        await startBlockNodeServer({ block, available, nextFault: plan(7), itemsPerMessage, port: latePort }),
      );
    };
    const nobody = `grpc://127.0.0.1:${await freePort()}`;
    const source = `${nobody},${servers[0]!.address},grpc://127.0.0.1:${latePort}`;
    const started = performance.now();
    const db = openDatabase({ connectionString: actual.connectionString });
    let killed = 0;
    try {
      for (let isDone = false; !isDone; ) {
        const importer = runMirror(
          ['import', '--source', source, '--source-timeout', '1', '--address-book', join(folder, 'addressbook.bin')],
          { env: { DATABASE_URL: actual.connectionString } },
        );
        if (servers.length === 1) await startLate();
        const dieAt = killed < kills ? Math.floor(((killed + 1) * blocks) / (kills + 1)) : blocks;
        await reach(importer, db, dieAt);
        if (dieAt === blocks) {
          isDone = true;
          importer.child.kill('SIGTERM');
          await importer.ended;
        } else {
          importer.child.kill('SIGKILL');
          await importer.ended;
          killed += 1;
          say(`killed ${killed} times, at block ${await countBlocks(db)}`);
        }
      }
      const rows = await db.query<{ index: bigint }>({
        name: 'test-block-numbers',
        text: 'select index from record_file order by consensus_end',
      });
      const differences = compareTables(
        await dumpTables(expected.connectionString, ofTheWay),
        await dumpTables(actual.connectionString, ofTheWay),
      );
      const seconds = (performance.now() - started) / 1000;
      return { numbers: rows.map(({ index }) => index), faults, kills: killed, differences, seconds };
    } finally {
      await db.close();
    }
  } finally {
    clearInterval(release);
    for (const server of servers) server.close();
    await expected.close();
    await actual.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Db = ReturnType<typeof openDatabase>;

async function reach(importer: RunningMirror, db: Db, blocks: number): Promise<void> {
  while ((await countBlocks(db)) < blocks) {
    if (importer.child.exitCode !== null) throw new Error(`The importer ended. It said:\n${importer.output()}`);
    await sleep(20);
  }
}
