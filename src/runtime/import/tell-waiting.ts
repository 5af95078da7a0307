// Logs what a live import waits for, and since when, while nothing comes: a minute after the last block, then after
// twice as long each time. If record files have ended and blocks have not begun yet, nothing else shows it.

import type { Logger } from '../../../packages/kit/process/log.ts';
import { formatInstant } from '../../../packages/protocol/hapi/timestamp.ts';

type StoredBlock = { number: bigint; consensusEnd: bigint };

const firstMs = 60_000;
const maxMs = 3_600_000;
/** How long a failing attempt may take. */
const maxTryMs = 60_000;

export function createWaitTeller(log: Logger) {
  let last: StoredBlock | null = null;
  let since = new Date();
  let waitMs = firstMs;
  let timer: NodeJS.Timeout | null = null;
  let hindered: { by: string; untilMs: number } | null = null;

  function begin(): void {
    if (timer) clearTimeout(timer);
    timer = setTimeout(tell, waitMs);
    timer.unref();
  }

  function tell(): void {
    const awaited = last
      ? `block ${last.number + 1n}, as a record file later than ${formatInstant(last.consensusEnd)} or as a block file`
      : 'the first record file or block';
    const isHindered = hindered !== null && performance.now() < hindered.untilMs;
    log.info({ since: since.toISOString() }, `The import waits for ${isHindered ? hindered!.by : awaited}`);
    waitMs = Math.min(waitMs * 2, maxMs);
    begin();
  }

  begin();
  return {
    /** A block exists, stored before the run or just now. */
    onBlock(block: StoredBlock | null): void {
      last = block;
      since = new Date();
      waitMs = firstMs;
      hindered = null;
      begin();
    },
    /** A failure that is retried after this time: then the import waits for nothing else. */
    onRetry(hindrance: string, retryMs: number): void {
      hindered = { by: hindrance, untilMs: performance.now() + retryMs + maxTryMs };
    },
    close(): void {
      if (timer) clearTimeout(timer);
    },
  };
}
