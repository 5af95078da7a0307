// Columns that several kinds of entities share: keys, staking, auto-renew account.
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { toPublicKeyHex } from '../../../packages/protocol/hapi/key.ts';
import { epochDay } from '../../../packages/protocol/hapi/timestamp.ts';
import type { Row } from '../../../packages/schema/tables.ts';
import type { BlockItem } from '../block/block-item.ts';
import { type ItemContext, isHapiAtLeast } from '../block/item-context.ts';

type Key = proto.IKey | null | undefined;

/** Serialized; undefined = not set by the transaction. */
export function keyBytes(key: Key): Uint8Array | undefined {
  return key ? proto.Key.encode(key).finish() : undefined;
}

/** The key, and its single public key as hex; empty, which clears the column, if it is not a single one. */
export function keyColumns(key: Key): KeyColumns {
  const bytes = keyBytes(key);
  return bytes ? serializedKeyColumns(bytes) : {};
}

export function serializedKeyColumns(key: Uint8Array): KeyColumns {
  return { key, public_key: toPublicKeyHex(key) ?? '' };
}

export type KeyColumns = { key?: Uint8Array; public_key?: string };

type CreateBody = {
  declineReward?: boolean | null;
  stakedAccountId?: proto.IAccountID | null;
  stakedNodeId?: Parameters<typeof toBigInt>[0];
};
type UpdateBody = Omit<CreateBody, 'declineReward'> & { declineReward?: { value?: boolean | null } | null };

/** Staking settings exist since HAPI 0.27. */
export function createdStaking(item: BlockItem, { block }: ItemContext, body: CreateBody): Row<'entity'> {
  if (!isHapiAtLeast(block, 0, 27, 0)) return {};
  const { stakedAccountId, stakedNodeId } = body;
  const decline_reward = body.declineReward === true;
  const stake_period_start = epochDay(item.consensusTimestamp);
  if (isSet(stakedNodeId)) return { decline_reward, staked_node_id: toBigInt(stakedNodeId), stake_period_start };
  if (!isSet(stakedAccountId)) return { decline_reward };
  return { decline_reward, staked_account_id: toEntityId(stakedAccountId), stake_period_start };
}

/** "Not staked" is stored as account 0 or node −1; any change of the settings starts a new staking period today. */
export function updatedStaking(item: BlockItem, { block }: ItemContext, body: UpdateBody): Row<'entity'> {
  if (!isHapiAtLeast(block, 0, 27, 0)) return {};
  const { declineReward, stakedAccountId, stakedNodeId } = body;
  const decline_reward = declineReward ? declineReward.value === true : undefined;
  const stake_period_start = epochDay(item.consensusTimestamp);
  if (isSet(stakedNodeId)) {
    return { decline_reward, staked_node_id: toBigInt(stakedNodeId), staked_account_id: 0n, stake_period_start };
  }
  if (isSet(stakedAccountId)) {
    return { decline_reward, staked_account_id: toEntityId(stakedAccountId), staked_node_id: -1n, stake_period_start };
  }
  return declineReward ? { decline_reward, stake_period_start } : {};
}

function isSet<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
}

/**
 * The auto-renew account of an entity. undefined, which an update leaves unchanged, if the body names none and,
 * reported, if no account has the alias. 0n, for an account without a number, removes it.
 */
export function autoRenewAccount(
  item: BlockItem,
  { lookup, report }: ItemContext,
  id: proto.IAccountID | null | undefined,
): bigint | undefined {
  if (!id) return undefined;
  const accountId = lookup.account(id);
  if (accountId !== 0n || !id.alias || id.alias.length === 0) return accountId;
  report(item, `no known account has the alias 0x${Buffer.from(id.alias).toString('hex')} of the auto-renew account`);
  return undefined;
}
