// Accounts that indexes on crypto_transfer (entity_id, consensus_timestamp) leave out. The text of an index is the same
// in every database, so these are ids of shard 0, realm 0 on any network; on other networks the indexes have all
// accounts.
import { systemEntityId, usualRealm } from '../protocol/hapi/system-entity.ts';

/** Left out by all of these indexes. */
export const unindexedFeeAccount = systemEntityId('feeCollection', usualRealm);
/** Left out by those of some mirror node databases, too. */
export const unindexedRewardAccount = systemEntityId('stakingRewards', usualRealm);

/**
 * SQL: that all of these indexes contain a row of crypto_transfer `s`. PostgreSQL uses them only if the text says so.
 */
export const isIndexedTransfer = `s.entity_id <> ${unindexedFeeAccount} and s.entity_id <> ${unindexedRewardAccount}`;
