// What `verify` says at its end, and whether its exit code is 0.
import { isProved } from '../importer/open/block-verification.ts';
import type { VerifiedFile } from '../importer/verify-stream.ts';
import { countText } from './describe-import.ts';

/** What the operator gave to verify with. */
export type GivenToVerify = {
  addressBook: boolean;
  /** A ledger id, its publication, or a key of it. */
  ledger: boolean;
};

export function createVerifySummary({ addressBook, ledger }: GivenToVerify) {
  let files = 0;
  let unverified = 0;
  /** Files that are proved by signatures of nodes, which were not checked. */
  let unsigned = 0;
  /** Blocks that the ledger was given for, and that were not verified as its own. */
  let notOfLedger = 0;
  let selfDeclared = 0;
  let rejected = 0;
  let gaps = 0;

  function describeProved(): string {
    return unverified === files
      ? `${countText(files, 'file is', 'files are')} whole and in order`
      : `${countText(files - unverified, 'file is', 'files are')} proved`;
  }

  /** Why what was given verified nothing, or not everything; null = it did. */
  function describeLack(): string | null {
    if (ledger && notOfLedger > 0) {
      return `NOT VERIFIED: ${countText(notOfLedger, 'block', 'blocks')} could not be verified as of the ledger that was given, as each says above.`;
    }
    if ((ledger || addressBook) && unverified === files) {
      return `NOT VERIFIED: nothing could be verified with what was given (${ledger ? '--ledger-id' : '--address-book'}).`;
    }
    return null;
  }

  return {
    add({ verification, version, gap }: VerifiedFile): void {
      files += 1;
      if (gap) gaps += 1;
      const isGood = isProved(verification);
      if (!isGood) unverified += 1;
      if (!isGood && version === blockStreamVersion) notOfLedger += 1;
      if (!addressBook && verification.proofs.some(({ kind }) => kind === 'signatures')) unsigned += 1;
      if (verification.cover?.origin === 'selfDeclared') selfDeclared += 1;
      rejected += verification.rejected.length;
    },
    isEmpty: () => files === 0,
    end(): { lines: string[]; isGood: boolean } {
      const lines: string[] = [];
      if (unsigned > 0) lines.push('Signatures of nodes were not checked: no address book was given (--address-book).');
      if (unverified > 0) {
        lines.push(
          `The proofs of ${countText(unverified, 'file', 'files')} were not verified, as each says above; hashes and chain were.`,
        );
      }
      if (selfDeclared > 0) {
        lines.push(
          `The ledger id of ${countText(selfDeclared, 'block', 'blocks')} is self-declared: anybody could have made such blocks. Compare it with one that you know, or give that (--ledger-id).`,
        );
      }
      const refused = countText(rejected, 'copy or signature is', 'copies or signatures are');
      lines.push(rejected > 0 ? `${describeProved()}; ${refused} not.` : `${describeProved()}.`);
      if (gaps > 0)
        lines.push(`Blocks are missing at ${countText(gaps, 'place', 'places')}; the chain was checked from each on.`);
      const lack = describeLack();
      if (lack !== null) lines.push(lack);
      return { lines, isGood: rejected === 0 && gaps === 0 && lack === null };
    },
  };
}

const blockStreamVersion = 7;
