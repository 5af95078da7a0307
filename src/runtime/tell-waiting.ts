// Says what a live import waits for, and since when, while nothing comes: a minute after the last block, then after twice as
// long each time. Where record files end and blocks do not begin yet, this is all that can be seen of it.
import { formatInstant } from '../protocol/hapi/timestamp.ts';
import type { Logger } from './log.ts';

export type WaitTeller = {
  /** A block is there, stored before the run or just now. */
  onBlock(block: { number: bigint; consensusEnd: bigint } | null): void;
  close(): void;
};

const firstMs = 60_000;
const maxMs = 3_600_000;

export function createWaitTeller(log: Logger, afterMs = firstMs): WaitTeller {
  let last: { number: bigint; consensusEnd: bigint } | null = null;
  let since = new Date();
  let waitMs = afterMs;
  let timer: NodeJS.Timeout | null = null;

  function begin(): void {
    if (timer) clearTimeout(timer);
    timer = setTimeout(tell, waitMs);
    timer.unref();
  }

  function tell(): void {
    const awaited = last
      ? `block ${last.number + 1n}, as a record file later than ${formatInstant(last.consensusEnd)} or as a block file`
      : 'the first record file or block';
    log.info({ since: since.toISOString() }, `The import waits for ${awaited}`);
    waitMs = Math.min(waitMs * 2, maxMs);
    begin();
  }

  begin();
  return {
    onBlock(block) {
      last = block;
      since = new Date();
      waitMs = afterMs;
      begin();
    },
    close() {
      if (timer) clearTimeout(timer);
    },
  };
}
