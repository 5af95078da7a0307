// The ledger that the stored blocks have been verified as.
import type { Database } from '../wire/database.ts';
import { canRead, selectOne } from './select-one.ts';
import { columns } from './statement/columns.ts';

const ledgerTrust = columns('ledger_trust', {
  ledgerId: 'ledger_id',
  origin: 'origin',
  publication: 'publication',
  wrapsKey: 'wraps_key',
  steps: 'rotation_steps',
  block: 'rotation_block',
});

export type LedgerTrust = {
  ledgerId: Buffer;
  origin: TrustOrigin;
  publication: Buffer | null;
  wrapsKey: Buffer | null;
  rotation: { steps: bigint; block: bigint } | null;
  /** Not stored yet. */
  formerIds: [];
  keys: [];
};

type TrustOrigin = 'pinned' | 'handedOver' | 'selfDeclared';

/** null = none is trusted yet, or the database is one that this program does not own. */
export async function selectLedgerTrust(db: Database): Promise<LedgerTrust | null> {
  if (!(await canRead(db, 'ledger_trust'))) return null;
  const found = await selectOne(db, {
    name: 'select-ledger-trust',
    select: ledgerTrust,
    from: 'from ledger_trust',
  });
  if (!found) return null;
  const { origin, steps, block, ...stored } = found;
  const rotation = steps === null || block === null ? null : { steps, block };
  return { ...stored, origin: origin as TrustOrigin, rotation, formerIds: [], keys: [] };
}
