// The newest file of exchange rates and the end of the newest block, asked once a block for all pages.

import type { BlockWatch } from '../../../packages/store/notify/block-watch.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ExchangeRate } from '../../ledger/network/network.ts';

/** `end`: consensus end of the block, ns. */
export type FoundRate = { file: ExchangeRate; end: bigint };

type AskedLedger = Pick<Ledger, 'newestEnd'> & { network: Pick<Ledger['network'], 'exchangeRate'> };

/** null = none is stored. */
export type NewestRate = (ledger: AskedLedger) => Promise<FoundRate | null>;

/** Without notifications of blocks. */
const maxAgeMs = 1000;

export function createNewestRate(blocks: BlockWatch): NewestRate {
  let kept: { turn: number; atMs: number; found: FoundRate | null } | null = null;
  return async (ledger) => {
    const { turn, newestEnd } = blocks;
    const isRecent = kept !== null && (newestEnd !== null || performance.now() - kept.atMs < maxAgeMs);
    if (kept?.turn === turn && isRecent) return kept.found;
    const atMs = performance.now();
    const [file, end] = await Promise.all([
      ledger.network.exchangeRate({ from: null, to: null }),
      newestEnd ?? ledger.newestEnd(),
    ]);
    const found = 'missingFileId' in file || end === null ? null : { file, end };
    kept = { turn, atMs, found };
    return found;
  };
}
