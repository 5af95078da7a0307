// How far the stored ledger is behind the network, and whether the network writes at all. A mirror that catches up is not in
// trouble: only a delay that does not shrink counts. Of the network only who looks at its files can speak: where the
// importer is dead or cannot read its source, nothing is said of it.
import type { NewestBlock } from '../../../store/read/select-newest-block.ts';
import type { Signals } from './signals.ts';

export type StreamSignalOptions = {
  /** Length of the past in which a delay has to shrink, and before which nothing is judged. */
  windowMs: number;
  now: number;
};

export type StreamSignals = {
  /**
   * @param block undefined while the database does not answer
   * @param source null where the files of the network are not watched
   * @param hasEnded the import has ended where it was told to: nothing new is to come of it
   */
  signals(
    now: number,
    block: NewestBlock | null | undefined,
    source: { newestFile: bigint | null } | null,
    hasEnded?: boolean,
  ): Signals;
  /** Whether blocks are being stored. */
  isFresh(now: number): boolean;
  /** Whether so much time has gone by since the newest block that the network's files should be looked for. */
  isLate(now: number): boolean;
};

/** A delay shrinks when it loses at least this share of the time that goes by. */
const catchUpSpeed = 0.2;

export function createStreamSignals({ windowMs, now: startedAt }: StreamSignalOptions): StreamSignals {
  let newest: { number: bigint; consensusEndMs: number; seenAt: number } | null = null;
  const delays: { at: number; delayMs: number }[] = [];

  function isCatchingUp(now: number, delayMs: number): boolean {
    delays.push({ at: now, delayMs });
    while (delays.length > 1 && delays[1]!.at <= now - windowMs) delays.shift();
    const first = delays[0]!;
    if (now - startedAt < windowMs) return true;
    return delayMs <= first.delayMs - (now - first.at) * catchUpSpeed;
  }

  function networkSilentMs(now: number, lagMs: number, source: { newestFile: bigint | null } | null): number | null {
    if (source === null) return newest && lagMs <= windowMs ? lagMs : null;
    const fileMs = source.newestFile === null ? 0 : Number(source.newestFile / 1_000_000n);
    return Math.max(0, now - Math.max(newest?.consensusEndMs ?? startedAt, fileMs));
  }

  return {
    isFresh: (now) => newest !== null && now - newest.seenAt <= windowMs,
    isLate: (now) => newest === null || now - newest.consensusEndMs > windowMs / 2,
    signals(now, block, source, hasEnded = false) {
      if (block && block.number !== newest?.number) {
        newest = { number: block.number, consensusEndMs: Number(block.consensusEnd / 1_000_000n), seenAt: now };
      }
      const lagMs = newest ? Math.max(0, now - newest.consensusEndMs) : 0;
      const silentMs = networkSilentMs(now, lagMs, source);
      return {
        ...(newest ? { 'import.lagMs': lagMs } : {}),
        'import.behindMs': isCatchingUp(now, lagMs) || hasEnded ? 0 : lagMs,
        'import.silentMs': hasEnded ? 0 : now - (newest?.seenAt ?? startedAt),
        ...(silentMs === null ? {} : { 'network.silentMs': silentMs }),
      };
    },
  };
}
