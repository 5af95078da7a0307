// What is known of the newest block, whichever process wrote it. Writers notify of each commit; reading the newest row
// twice a second confirms that nothing else was committed, and detects missing notifications. Without them (a replica
// refuses LISTEN, a pooler drops them, the connection is lost) the newest block counts as unknown until one comes
// again.
import pg from 'pg';
import { createBackOff } from '../../kit/back-off.ts';
import { pause } from '../../kit/pause.ts';
import { blockChannel, readBlockNotice } from '../../schema/block-channel.ts';

export type BlockState = {
  /** Changes after each commit. */
  turn: number;
  /** Changes after everything but a further block: the past may be a different one. */
  epoch: number;
  /** Its consensus end, ns; null = unknown. */
  newestEnd: bigint | null;
  /** When it was confirmed that nothing is newer, ms of `performance.now()`. */
  confirmedMs: number;
};

export type BlockWatch = Readonly<BlockState>;

/** For databases without notifications of blocks. */
export const noBlockWatch: BlockWatch = { turn: 0, epoch: 0, newestEnd: null, confirmedMs: Number.NEGATIVE_INFINITY };

type BlockWatchOptions = {
  connectionString: string;
  /** Called once each time that notifications stop, with the reason. */
  onLost(error: Error): void;
  lookMs?: number;
  /** How long a notification may take. */
  maxUntoldMs?: number;
};

export type RunningBlockWatch = { state: BlockWatch; close(): Promise<void> };

export function watchBlocks(options: BlockWatchOptions): RunningBlockWatch {
  const { connectionString, onLost, lookMs = 500, maxUntoldMs = 5_000 } = options;
  const state: BlockState = { ...noBlockWatch };
  const closing = new AbortController();
  const delays = createBackOff(50, 30_000);
  let wasHeard = true;

  function changePast(): void {
    state.turn += 1;
    state.epoch += 1;
    state.newestEnd = null;
    state.confirmedMs = Number.NEGATIVE_INFINITY;
  }

  function note(end: bigint): void {
    if (end === state.newestEnd) return;
    if (state.newestEnd !== null && end < state.newestEnd) changePast();
    state.turn += 1;
    state.newestEnd = end;
  }

  /** Rejects on an error, and when the connection is closed. */
  async function listen(client: pg.Client): Promise<void> {
    const ended = new Promise<never>((_resolve, reject) => {
      client.once('error', reject);
      client.once('end', () => reject(new Error('the connection has ended')));
    });
    ended.catch(() => {});
    let notifiedEnd = -1n;
    client.on('notification', ({ payload = '' }) => {
      const end = readBlockNotice(payload);
      if (end === null) {
        changePast();
        return;
      }
      if (end > notifiedEnd) notifiedEnd = end;
      note(end);
    });
    await Promise.race([client.connect(), ended]);
    await client.query(`listen ${blockChannel}`);
    notifiedEnd = await selectNewestEnd(client);
    if (notifiedEnd >= 0n) note(notifiedEnd);
    let untoldSinceMs: number | null = null;
    wasHeard = true;
    delays.reset();
    while (!closing.signal.aborted) {
      if (!(await Promise.race([pause(lookMs, closing.signal), ended]))) return;
      const sentMs = performance.now();
      const knownEnd = state.newestEnd ?? -1n;
      const seenEnd = await Promise.race([selectNewestEnd(client), ended]);
      // The notification of a later block may have come right after this row was read.
      if (seenEnd >= 0n && (seenEnd < knownEnd || seenEnd > (state.newestEnd ?? -1n))) note(seenEnd);
      state.confirmedMs = sentMs;
      untoldSinceMs = seenEnd > notifiedEnd ? (untoldSinceMs ?? sentMs) : null;
      if (untoldSinceMs !== null && sentMs - untoldSinceMs > maxUntoldMs) {
        throw new Error('blocks are committed, and no notification comes');
      }
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const client = new pg.Client({
        connectionString,
        application_name: 'ledger-mirror listener',
        keepAlive: true,
        connectionTimeoutMillis: 10_000,
        query_timeout: 10_000,
      });
      const stop = (): void => destroy(client);
      closing.signal.addEventListener('abort', stop, { once: true });
      try {
        await listen(client);
      } catch (error) {
        changePast();
        if (wasHeard && !closing.signal.aborted) onLost(error as Error);
        wasHeard = false;
      } finally {
        closing.signal.removeEventListener('abort', stop);
        // Also for a connection that no longer answers.
        stop();
      }
      await pause(delays.next(), closing.signal);
    }
  }

  const running = run();
  return {
    state,
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** -1 = no block is stored. */
async function selectNewestEnd(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query('select consensus_end from record_file order by consensus_end desc limit 1');
  return BigInt(rows[0]?.consensus_end ?? -1);
}

function destroy(client: pg.Client): void {
  client.on('error', () => {});
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
