// Whether blocks of a block stream are verified, or would be: what is missing for that, for operators.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { findLacks } from '../../../packages/schema/import-revisions.ts';
import { selectImportRevisions } from '../../../packages/store/read/select-import-revisions.ts';
import { selectStoredExtent } from '../../../packages/store/read/select-mirror-extent.ts';
import { selectProofStanding, selectPublishingBlock } from '../../../packages/store/read/select-proof-standing.ts';
import {
  selectFirstUnprovedBlock,
  selectFirstUnverifiedBlock,
} from '../../../packages/store/read/select-unverified-proofs.ts';

/** `isNow`: the newest block is not proved. Else it is, by signatures of nodes, and a later one will not be. */
export type MissingTrust = { isNow: boolean; found: string; advice: string };

const blockStreamVersion = 7;

const nameLedger =
  'Name the ledger id as the operators of the network make it known (--ledger-id of the import); one of 32 bytes needs its publication, too (--ledger-publication).';

/** null = nothing is missing, nothing is stored, or the database is one that this program does not own. */
export async function findMissingTrust(db: Database): Promise<MissingTrust | null> {
  const standing = await selectProofStanding(db);
  if (!standing) return null;
  const isBlockStream = standing.version >= blockStreamVersion;
  if (isBlockStream) {
    if (standing.isProved) return null;
    return standing.isCovered ? describeUnproved(await selectFirstUnprovedBlock(db)) : describeUnverified(db);
  }
  if (standing.isTrusted) return null;
  const unlearnt = await findUnlearnt(db);
  if (!unlearnt) return null;
  const found = `${unlearnt.reason}: where the network goes on with a block stream, its blocks would not be verified`;
  return { isNow: false, found, advice: unlearnt.advice };
}

async function describeUnverified(db: Database): Promise<MissingTrust> {
  const first = await selectFirstUnverifiedBlock(db);
  const { reason, advice } = (await findUnlearnt(db)) ?? { reason: 'no ledger id is known', advice: nameLedger };
  const found = `from block ${first} on no signature of the network is verified, only hashes and chain: ${reason}`;
  return { isNow: true, found, advice };
}

function describeUnproved(first: bigint | null): MissingTrust {
  return {
    isNow: true,
    found: `from block ${first} on the signatures are good, but nothing vouches for their key, so that anybody could have made them`,
    advice:
      'Name the key as the operators of the network confirm it (--ledger-key of the import): the log of the import has its hash.',
  };
}

/**
 * Why no ledger id is known although one was, or may have been, published in blocks that are stored; null: none was.
 */
async function findUnlearnt(db: Database): Promise<{ reason: string; advice: string } | null> {
  const spans = await selectImportRevisions(db);
  const published = await selectPublishingBlock(db);
  if (published) {
    const where = published.block === null ? 'a block that was dropped since' : `block ${published.block}`;
    const newest = spans.at(-1)?.revision ?? 0;
    if (findLacks(newest).facts.includes('ledgerId')) {
      const reason = `${where} published a ledger id, which the version that imported it did not note`;
      return { reason, advice: 'An import of this version learns it when it starts.' };
    }
    const reason = `${where} published a ledger id that could not be learnt, neither from what is stored nor from the source`;
    return { reason, advice: nameLedger };
  }
  const stored = await selectStoredExtent(db);
  const isPartial = stored !== null && (stored.included ?? stored.excluded ?? stored.keptFrom) !== null;
  // Versions since revision 1 have a row of each publication, also where its transaction is left out.
  if (!isPartial || !spans.some(({ revision }) => revision < 1)) return null;
  const reason =
    'an earlier version imported blocks without noting whether they publish a ledger id, and not all transactions of them are stored';
  return { reason, advice: nameLedger };
}
