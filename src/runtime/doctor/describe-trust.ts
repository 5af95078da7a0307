// Whose blocks the database holds, as words of its description.
import { formatLedgerId } from '../../../packages/kit/format-ledger-id.ts';
import type { LedgerTrust } from '../../../packages/store/read/select-ledger-trust.ts';
import { describeLedger } from '../../importer/open/block-verification.ts';

/** Empty where no ledger id is known. */
export function describeTrust(trust: LedgerTrust | null): string {
  if (!trust) return '';
  const steps = trust.rotation?.steps ?? 0n;
  const rotations = steps >= firstSteps ? `, ${steps - firstSteps} rotations of its keys so far` : '';
  const former = trust.formerIds.map((id) => `, before ${formatLedgerId(id)}`).join('');
  return `; blocks are verified as those of ${describeLedger(trust)}${former}${rotations}${describeSigner(trust)}`;
}

/** The key that signs now, of a ledger whose keys are followed from block to block. */
function describeSigner({ keys }: LedgerTrust): string {
  const signers = keys.filter(({ signsFrom }) => signsFrom !== null);
  const [first, ...others] = signers.sort((one, other) => Number(other.signsFrom! - one.signsFrom!));
  if (!first) return '';
  const why = { ledgerId: 'named by the ledger id', signedBlock: `named by block ${first.block}`, pinned: 'pinned' }[
    first.source
  ];
  return `, signed by key ${first.keyHash.toString('hex')} since block ${first.signsFrom} (${why}), after ${others.length} others`;
}

/** Of the WRAPS proof that settles a network. */
const firstSteps = 2n;
