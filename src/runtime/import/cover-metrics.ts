// By what the imported blocks are proved, and as which ledger.

import { Counter, Gauge, type Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import { formatLedgerId } from '../../../packages/kit/format-ledger-id.ts';
import {
  type BlockVerification,
  isKeyUnproved,
  isProved,
  type NetworkCover,
} from '../../importer/open/block-verification.ts';

/** Counts a block. */
export function createCoverMetrics(registry: Registry): (verification: BlockVerification) => void {
  const registers = [registry];
  let newest: NetworkCover | null = null;
  const verified = new Counter({
    name: 'ledger_mirror_import_verified_blocks_total',
    help: 'Blocks by what proves them: signed, state and chain (a signature of the network), nodes (of nodes), unproved (a signature by a key that nothing vouches for), none.',
    labelNames: ['by'] as const,
    registers,
  });
  new Gauge({
    name: 'ledger_mirror_import_ledger',
    help: '1 for the ledger that blocks are verified as, with why its id is trusted, the rotations of its keys, why the key is trusted (attestation), and its hash.',
    labelNames: ['ledger', 'origin', 'rotations', 'attestation', 'key'] as const,
    registers,
    collect() {
      this.reset();
      if (!newest) return;
      const { ledgerId, origin, rotations, attestation, keyHash } = newest;
      const ledger = formatLedgerId(ledgerId);
      const key = Buffer.from(keyHash).toString('hex');
      this.set({ ledger, origin, rotations: `${rotations ?? ''}`, attestation, key }, 1);
    },
  });
  addGauge(registry, {
    name: 'ledger_mirror_import_signed_block',
    help: 'Number of the newest block whose signature by the network was verified; -1 = none yet.',
    read: () => Number(newest?.restsOn ?? -1),
  });
  return (verification) => {
    const { cover } = verification;
    const by = isKeyUnproved(verification) ? 'unproved' : (cover?.kind ?? (isProved(verification) ? 'nodes' : 'none'));
    verified.inc({ by });
    newest = cover ?? newest;
  };
}
