// Writes blocks: one connection, one database transaction a block, whole or not at all. Only one writer works on a
// database at a time. A lost connection is opened again, and record_file shows whether the interrupted block was
// committed. A machine lost behind the connection counts as a lost connection: it is open again when all machines
// answer.

import { createBackOff } from '../../kit/back-off.ts';
import { pause } from '../../kit/pause.ts';
import { isLostMachine, toLostMachine } from '../../postgres/wire/lost-machine.ts';
import { notifyReaders } from '../../schema/block-channel.ts';
import type { BlockChanges, WritableChanges } from './block-changes.ts';
import type { PriceOfGas } from './day-totals.ts';
import type { ReplacedSpan } from './replace-rows.ts';
import { openWriterSession, type WriterSession } from './writer-session.ts';

export type BlockWriter = {
  /** Resolves when the block is committed; after a rejection nothing of it is stored. One call at a time. */
  writeBlock(changes: WritableChanges): Promise<void>;
  /**
   * Continues deferred work of a block, such as a snapshot of all balances: one range of it, whatever else is written
   * meanwhile. Resolves with whether there is more to do.
   */
  advanceScans(): Promise<boolean>;
  /**
   * Replaces the rows of single moments in stored blocks, all within the time span, and notes that these are of this
   * version; state and the other changes are ignored. `after`: the end of the block before, ns.
   */
  replaceRows(changes: BlockChanges, span: ReplacedSpan): Promise<void>;
  /** Adds to the number of every stored block: the first file with its own number shows how far off they were. */
  shiftBlockNumbers(by: bigint): Promise<void>;
  /** Resolves when every written block can be read; rejects while a machine that missed a commit is away. */
  settle(): Promise<void>;
  close(): Promise<void>;
};

export type BlockWriterOptions = {
  connectionString: string;
  /** Reports lost connections. */
  log?: (sentence: string) => void;
  /** The database, or a machine of it, is away and waited for. */
  onLost?: (error: Error) => void;
  /** How long to wait for another writer, which may be about to end. */
  otherWriterMs?: number;
  /** Rows of a whole table that are processed between two blocks; default 20,000. */
  rowsOfRange?: number;
  /** Of days that have ended; default: they get none. */
  priceOfGas?: PriceOfGas;
};

/** How long to wait for a lost database. */
const reconnectMs = 60_000;

export async function createBlockWriter(options: BlockWriterOptions): Promise<BlockWriter> {
  const {
    connectionString,
    log = () => {},
    onLost = () => {},
    otherWriterMs = 10_000,
    rowsOfRange = 20_000,
    priceOfGas,
  } = options;
  const open = () => openWriterSession({ connectionString, otherWriterMs, rowsOfRange, priceOfGas });
  const reopen = () => retry(open, reconnectMs, onLost);
  let session: WriterSession | null = await open().catch((error: Error) => {
    if (!isLostMachine(error)) throw error;
    onLost(error);
    return null;
  });

  const run = async <Result>(work: (open: WriterSession) => Promise<Result>): Promise<Result> => {
    session ??= await reopen();
    try {
      return await work(session);
    } catch (error) {
      if (!(await session.rollback(error))) session = null;
      throw toLostMachine(error);
    }
  };

  return {
    async writeBlock(changes) {
      const deadline = performance.now() + reconnectMs;
      let mayBeCommitted = false;
      for (;;) {
        try {
          return await run(async (open) => {
            if (!(mayBeCommitted && (await open.isCommitted(changes)))) await open.write(changes);
          });
        } catch (error) {
          if (session !== null || performance.now() > deadline) throw error;
          mayBeCommitted = true;
          onLost(error as Error);
          log(`Lost the connection to PostgreSQL while writing a block: ${describe(error as Error)}; connecting again`);
        }
      }
    },
    async advanceScans() {
      try {
        return (await run((open) => open.advanceScans())).hasMore;
      } catch (error) {
        if (session !== null) throw error;
        onLost(error as Error);
        log(`Lost the connection to PostgreSQL between blocks: ${describe(error as Error)}; connecting again`);
        return true;
      }
    },
    replaceRows: (changes, span) => run((open) => open.replaceRows(changes, span)),
    shiftBlockNumbers: (by) =>
      run(async ({ client }) => {
        await client.query('begin');
        // Trees over wrongly numbered blocks belong to no chain.
        await client.query('delete from wrapped_block_tree');
        await client.query('delete from block_history_node');
        await client.query('update record_file set index = index + $1', [by]);
        await notifyReaders(client, null);
        await client.query('commit');
      }),
    async settle() {
      session ??= await open();
    },
    async close() {
      await session?.client.end();
      session = null;
    },
  };
}

/** With the cause, which names the machine. */
function describe({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

async function retry<Result>(
  attempt: () => Promise<Result>,
  timeoutMs: number,
  onFailed: (error: Error) => void,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  const delays = createBackOff(50, 2_000);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      onFailed(error as Error);
      await pause(delays.next());
    }
  }
}
