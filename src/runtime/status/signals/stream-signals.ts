// How far the stored ledger is behind the network, and whether the network writes at all. Only a delay that does not
// shrink counts. The network is unknown if nothing watches its files; its silence is unknown if it was never seen to
// write, as with an archive.
import { everySignal, type Facts, type Signals } from '../../../../packages/status/signal-names.ts';
import type { NewestBlock } from '../../../../packages/store/read/select-newest-block.ts';

/** `newestFile`: consensus instant in ns of the newest file; null if unknown, or if there is none. */
type SeenFiles = { newestFile: bigint | null };

/** A delay shrinks if it loses at least this share of the elapsed time. */
const catchUpSpeed = 0.2;
/** A file, or a stored block, that is no older was written by a running network. */
const liveWithinMs = 120_000;

type SeenBlock = { number: bigint; consensusEnd: bigint; consensusEndMs: number; seenAt: number };

/** @param windowMs time in which a delay has to shrink, and before which nothing is judged */
export function createStreamSignals({ windowMs, now: startedAt }: { windowMs: number; now: number }) {
  let newest: SeenBlock | null = null;
  let isEmpty = false;
  /** When a block was last seen to be stored: the first that is found may be years old. */
  let storedAt: number | null = null;
  /** The network was seen to write, by this process or by the one that stored the newest block. */
  let wasLive = false;
  let newestText = '';
  const delays: { at: number; delayMs: number }[] = [];

  function noteBlock(now: number, block: NewestBlock | null | undefined): void {
    if (block === null) isEmpty = true;
    if (!block || block.number === newest?.number) return;
    const consensusEndMs = toMs(block.consensusEnd);
    if (newest || isEmpty || now - consensusEndMs <= windowMs) storedAt = now;
    newest = { number: block.number, consensusEnd: block.consensusEnd, consensusEndMs, seenAt: now };
    if (Number(block.loadEnd) * 1000 - consensusEndMs <= liveWithinMs) wasLive = true;
  }

  function isCatchingUp(now: number, delayMs: number): boolean {
    delays.push({ at: now, delayMs });
    while (delays.length > 1 && delays[1]!.at <= now - windowMs) delays.shift();
    const first = delays[0]!;
    if (now - startedAt < windowMs) return true;
    return delayMs <= first.delayMs - (now - first.at) * catchUpSpeed;
  }

  function networkSilentMs(now: number, lagMs: number, source: SeenFiles | null): number | null {
    newestText = '';
    if (source === null) return newest && lagMs <= windowMs ? lagMs : null;
    const instants = [newest?.consensusEnd, source.newestFile].filter((instant) => instant != null).map(toMs);
    if (instants.length === 0) return null;
    const newestMs = Math.max(...instants);
    const silentMs = Math.max(0, now - newestMs);
    if (silentMs <= liveWithinMs) wasLive = true;
    if (!wasLive) {
      const date = new Date(newestMs).toISOString().slice(0, 10);
      newestText = `Its newest file is of ${date}: whether it still writes is not known yet.`;
      return null;
    }
    // A mirror and its (simulated) network that were both stopped start again together.
    return silentMs > windowMs && now - startedAt < windowMs ? null : silentMs;
  }

  return {
    /** Whether blocks are being stored. */
    isFresh: (now: number) => storedAt !== null && now - storedAt <= windowMs,
    /** Whether the newest block is so old that the network's newest file should be read. */
    isLate: (now: number) => newest === null || now - newest.consensusEndMs > windowMs / 2,
    /** From the last call. */
    facts: (): Facts => ({ 'network.newest': newestText }),
    /**
     * @param block undefined while the database does not answer
     * @param source null if the files of the network are not watched
     * @param hasEnded the import has reached the configured end: nothing new will come
     */
    signals(
      now: number,
      block: NewestBlock | null | undefined,
      source: SeenFiles | null,
      hasEnded = false,
    ): Signals<'stream'> {
      noteBlock(now, block);
      const lagMs = newest ? Math.max(0, now - newest.consensusEndMs) : 0;
      const silentMs = networkSilentMs(now, lagMs, source);
      const written = source?.newestFile ?? null;
      const hasAll = newest !== null && written !== null && written <= newest.consensusEnd;
      const isDone = hasEnded || (hasAll && !wasLive);
      return everySignal<'stream'>()({
        ...(newest ? { 'import.lagMs': lagMs } : {}),
        'import.behindMs': isCatchingUp(now, lagMs) || hasEnded || hasAll ? 0 : lagMs,
        'import.silentMs': isDone ? 0 : now - (newest?.seenAt ?? startedAt),
        ...(silentMs === null ? {} : { 'network.silentMs': silentMs }),
      });
    },
  };
}

function toMs(instantNs: bigint): number {
  return Number(instantNs / 1_000_000n);
}
