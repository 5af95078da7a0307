// How far the stored ledger is behind the network, and whether the network writes at all. A mirror that catches up is not in
// trouble: only a delay that does not shrink counts.
import { parseInstant } from '../../../protocol/hapi/timestamp.ts';
import { findNewestFileInstant } from '../../../source/find-newest-file.ts';
import type { NewestBlock } from '../../../store/read/select-newest-block.ts';
import type { Signals } from './signals.ts';

export type StreamSignalOptions = {
  /** Folder with stream files; null where this process imports none. */
  sourcePath: string | null;
  /** Length of the past in which a delay has to shrink, and before which nothing is judged. */
  windowMs: number;
  now: number;
};

export type StreamSignals = {
  /** @param block undefined while the database does not answer */
  signals(now: number, block: NewestBlock | null | undefined): Promise<Signals>;
};

/** A delay shrinks when it loses at least this share of the time that goes by. */
const catchUpSpeed = 0.2;

export function createStreamSignals({ sourcePath, windowMs, now: startedAt }: StreamSignalOptions): StreamSignals {
  let newest: { number: bigint; consensusEndMs: number; seenAt: number } | null = null;
  let listed: { at: number; instantMs: number | null } | null = null;
  const delays: { at: number; delayMs: number }[] = [];

  /** Listing folders is dear: it is done where the stored blocks do not show that the network writes. */
  async function newestFileMs(now: number): Promise<number | null> {
    if (sourcePath === null) return null;
    if (!listed || now - listed.at >= windowMs / 4) {
      const instant = await findNewestFileInstant(sourcePath);
      const instantMs = instant === null ? null : Number(parseInstant(instant.replace(',', '.')) / 1_000_000n);
      listed = { at: now, instantMs };
    }
    return listed.instantMs;
  }

  function isCatchingUp(now: number, delayMs: number): boolean {
    delays.push({ at: now, delayMs });
    while (delays.length > 1 && delays[1]!.at <= now - windowMs) delays.shift();
    const first = delays[0]!;
    if (now - startedAt < windowMs) return true;
    return delayMs <= first.delayMs - (now - first.at) * catchUpSpeed;
  }

  return {
    async signals(now, block) {
      if (block && block.number !== newest?.number) {
        newest = { number: block.number, consensusEndMs: Number(block.consensusEnd / 1_000_000n), seenAt: now };
      }
      const lagMs = newest ? Math.max(0, now - newest.consensusEndMs) : 0;
      const hasLag = newest !== null;
      const silentMs = now - (newest?.seenAt ?? startedAt);
      const fileMs = lagMs > windowMs / 2 || !hasLag ? await newestFileMs(now) : null;
      const heardAt = Math.max(newest?.consensusEndMs ?? startedAt, fileMs ?? 0);
      const behindMs = isCatchingUp(now, lagMs) ? 0 : lagMs;
      return {
        ...(hasLag ? { 'import.lagMs': lagMs } : {}),
        'import.behindMs': behindMs,
        'import.silentMs': silentMs,
        'network.silentMs': Math.max(0, now - heardAt),
      };
    },
  };
}
