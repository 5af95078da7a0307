// One step of what is counted of tokens of the token service: the next transactions are summed up, then the holders of
// some of the tokens that they moved are counted. Balances stand in the database, so a count is right whatever changed
// them.
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';
import {
  selectHolderCount,
  selectMovedTokens,
  selectNextMoves,
  selectTokensToCount,
  selectTotalsProgress,
} from '../../../packages/store/read/select-token-totals.ts';
import {
  type HolderCount,
  storeHolderCounts,
  storeMovedTokens,
} from '../../../packages/store/write/store-token-totals.ts';

const transactionsAtOnce = 5_000;
/** Accounts that are looked at in one step, of as many tokens as have no more. */
const relationsAtOnce = 50_000n;
const countedAtOnce = 50;
/** To look at more takes longer than a statement may. */
const maxRelations = 1_000_000;

/**
 * Whether anything was done. While many transactions are still to be summed up no holders are counted: a token that
 * many of them move would be counted again with each portion.
 */
export async function countTokens(db: Database, atOnce = transactionsAtOnce): Promise<boolean> {
  const summed = await sumNext(db, atOnce);
  if (summed >= atOnce) return true;
  const isCounted = await countNext(db);
  return isCounted || summed > 0;
}

/** How many transactions. */
async function sumNext(db: Database, atOnce: number): Promise<number> {
  const stored = await selectTotalsProgress(db);
  const after = stored ?? -1n;
  const next = await selectNextMoves(db, after, atOnce);
  if (next === null) return 0;
  const { end: until, count } = next;
  await storeMovedTokens(db, { after: stored, until, tokens: await selectMovedTokens(db, { after, until }) });
  return Number(count);
}

async function countNext(db: Database): Promise<boolean> {
  const newest = await selectNewestBlock(db);
  if (newest === null) return false;
  const counts: HolderCount[] = [];
  let looked = 0n;
  for (const { tokenId, lastTimestamp } of await selectTokensToCount(db, newest.consensusEnd, countedAtOnce)) {
    const { relations, holders } = await selectHolderCount(db, tokenId, maxRelations + 1);
    const isWhole = relations <= BigInt(maxRelations);
    counts.push({ tokenId, countedTimestamp: lastTimestamp, relations, holders: isWhole ? holders : null });
    looked += relations;
    if (looked >= relationsAtOnce) break;
  }
  if (counts.length > 0) await storeHolderCounts(db, counts);
  return counts.length > 0;
}
