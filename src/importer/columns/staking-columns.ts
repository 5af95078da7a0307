// Staking settings of accounts and contracts, which exist since HAPI 0.27. Not staked is written as account 0 or node −1;
// any change of the settings starts a new staking period today.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import type { proto } from '../../protocol/hapi/hapi.ts';
import { toBigInt } from '../../protocol/hapi/hapi.ts';
import { epochDay } from '../../protocol/hapi/timestamp.ts';
import type { Row } from '../../store/schema/tables.ts';
import type { BlockItem } from '../block/block-item.ts';
import { type ItemContext, isHapiAtLeast } from '../block/item-context.ts';

type CreateBody = {
  declineReward?: boolean | null;
  stakedAccountId?: proto.IAccountID | null;
  stakedNodeId?: Parameters<typeof toBigInt>[0];
};
type UpdateBody = Omit<CreateBody, 'declineReward'> & { declineReward?: { value?: boolean | null } | null };

export function createdStaking(item: BlockItem, context: ItemContext, body: CreateBody): Row<'entity'> {
  if (!isHapiAtLeast(context.block, 0, 27, 0)) return {};
  const decline = { decline_reward: body.declineReward === true };
  if (isSet(body.stakedNodeId)) {
    return { ...decline, staked_node_id: toBigInt(body.stakedNodeId), stake_period_start: today(item) };
  }
  if (isSet(body.stakedAccountId)) {
    return { ...decline, staked_account_id: toEntityId(body.stakedAccountId), stake_period_start: today(item) };
  }
  return decline;
}

export function updatedStaking(item: BlockItem, context: ItemContext, body: UpdateBody): Row<'entity'> {
  if (!isHapiAtLeast(context.block, 0, 27, 0)) return {};
  const decline = body.declineReward ? { decline_reward: body.declineReward.value === true } : null;
  if (isSet(body.stakedNodeId)) {
    return {
      ...decline,
      staked_node_id: toBigInt(body.stakedNodeId),
      staked_account_id: 0n,
      stake_period_start: today(item),
    };
  }
  if (isSet(body.stakedAccountId)) {
    return {
      ...decline,
      staked_account_id: toEntityId(body.stakedAccountId),
      staked_node_id: -1n,
      stake_period_start: today(item),
    };
  }
  return decline ? { ...decline, stake_period_start: today(item) } : {};
}

function today(item: BlockItem): bigint {
  return epochDay(item.consensusTimestamp);
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined;
}
