// What a block that is imported again needs of the past, and whether the database still has it.

import type { Database } from '../../packages/postgres/wire/database.ts';
import { findLacks } from '../../packages/schema/import-revisions.ts';
import type { StoredBlock } from '../../packages/store/read/import-state.ts';
import { selectImportRevisions } from '../../packages/store/read/select-import-revisions.ts';
import { selectFirstWholeBlock, selectWholePast } from '../../packages/store/read/select-whole-past.ts';
import type { StateAnswers, StateQuestion } from '../../packages/streams/stream/state-question.ts';
import type { StreamFilter } from './extent/stream-filter.ts';
import { ReimportError } from './reimport-error.ts';
import { selectStateBefore } from './whole-block/select-state-before.ts';

/** Refuses a block of which the database holds only a part, which another program may have written. */
export async function refuseUnknownPast(
  db: Database,
  { index, consensusStart, consensusEnd }: StoredBlock,
): Promise<void> {
  const { keptFrom, foreignUntil } = await selectWholePast(db);
  const isCut = keptFrom !== null && consensusStart < keptFrom;
  const isForeign = foreignUntil !== null && consensusEnd <= foreignUntil;
  if (!isCut && !isForeign) return;
  const reason = isCut
    ? 'the database holds only a part of it and of the state before it: it was begun with an export, or the past was dropped'
    : 'it was not imported, but loaded from an export of another program, whose rows may have more than the stream says';
  const whole = await selectFirstWholeBlock(db, { keptFrom, foreignUntil });
  const next = whole === null ? 'No stored block can be imported again yet.' : `Use --reimport-from ${whole}.`;
  throw new ReimportError(`Block ${index} cannot be imported again: ${reason}. Nothing was changed. ${next}`);
}

/** Answers as of just before a stored block (`at`, ns). Throws ReimportError if the database cannot tell. */
export type PastState = (known: StoredBlock, questions: readonly StateQuestion[], at: bigint) => Promise<StateAnswers>;

/** `first`: with which the import begins again. */
export async function createPastState(
  db: Database,
  { first, filter }: { first: StoredBlock; filter: StreamFilter | null },
): Promise<PastState> {
  const olderFrom = await findOlderFrom(db, first);
  return async ({ index }, questions, at) => {
    for (const { kind } of questions) {
      if (filter && countedBack[kind]) {
        throw new ReimportError(
          `Block ${index} cannot be imported again: it leaves out ${countedBack[kind]}, which is counted back from all later transactions, and this database holds only some of them (--include, --exclude). The block was not changed, those before it were imported again. Go on behind it with --reimport-from ${index + 1n}, or import into an empty database.`,
        );
      }
      if (olderFrom !== null && kind === 'slot') {
        throw new ReimportError(
          `Block ${index} cannot be imported again from here: it leaves out values of contract storage, and an earlier version, which stored less of them, imported blocks before ${first.index}. The block was not changed. Begin with --reimport-from ${olderFrom}.`,
        );
      }
    }
    return selectStateBefore(db, questions, at);
  };
}

/** What the rows of later transactions are needed for. */
const countedBack: Partial<Record<StateQuestion['kind'], string>> = {
  totalSupply: 'the supply of a token',
  ethereumNonce: 'the nonce of an account',
};

/** The first block before `first` whose changes of storage an earlier version stored; null = there is none. */
async function findOlderFrom(db: Database, first: StoredBlock): Promise<bigint | null> {
  for (const { blocksRevision, firstBlock } of await selectImportRevisions(db)) {
    const isOlder = findLacks(blocksRevision).blocks.length > 0;
    if (isOlder && firstBlock !== null && firstBlock < first.index) return firstBlock;
  }
  return null;
}
