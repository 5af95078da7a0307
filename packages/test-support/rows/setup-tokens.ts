// Rows of tokens, their custom fees and associations.

import { type Maker, version } from './setup-row.ts';
import { type SystemIds, toBytes, toId, toJsonText } from './setup-values.ts';
import type { JsonObject } from './spec-file.ts';

export const toToken: Maker = (item, system) => {
  const isUnique = item.type === 'NON_FUNGIBLE_UNIQUE';
  const created = item.created_timestamp ?? 0n;
  const tokenId = toId(item.token_id, system);
  const row = {
    created_timestamp: created,
    decimals: 1000n,
    freeze_default: false,
    freeze_status: 0n,
    initial_supply: 1000000n,
    kyc_status: 0n,
    max_supply: 9223372036854775807n,
    name: 'Token name',
    pause_status: 'NOT_APPLICABLE',
    supply_type: 'INFINITE',
    symbol: 'YBTJBOAZ',
    timestamp_range: `[${created},)`,
    total_supply: 1000000n,
    type: 'FUNGIBLE_COMMON',
    ...item,
    ...(isUnique ? { decimals: 0n, initial_supply: 0n } : {}),
    metadata: toBytes(item.metadata ?? []),
    token_id: tokenId,
    treasury_account_id: toId(item.treasury_account_id ?? '98', system),
  };
  const noFees: JsonObject = { entity_id: tokenId, timestamp_range: `[${created},)` };
  const fees = (item.custom_fees ?? [noFees]) as JsonObject[];
  return [version('token', row), ...fees.flatMap((fee) => toCustomFee(fee, system))];
};

export const toCustomFee: Maker = (item, system) => {
  const row: Record<string, unknown> = {
    entity_id: toId(item.entity_id, system),
    timestamp_range: item.timestamp_range,
  };
  for (const list of ['fixed_fees', 'fractional_fees', 'royalty_fees']) {
    const fees = item[list] as JsonObject[] | null | undefined;
    row[list] = fees ? toJsonText(fees.map((fee) => toFee(fee, system))) : null;
  }
  return [version('custom_fee', row)];
};

function toFee(fee: JsonObject, system: SystemIds): JsonObject {
  const result: JsonObject = {
    all_collectors_are_exempt: false,
    ...fee,
    collector_account_id: toId(fee.collector_account_id ?? '300', system),
  };
  if (fee.denominating_token_id !== undefined) result.denominating_token_id = toId(fee.denominating_token_id, system);
  const fallback = fee.fallback_fee as JsonObject | null | undefined;
  if (fallback) {
    result.fallback_fee = { ...fallback, denominating_token_id: toId(fallback.denominating_token_id, system) };
  }
  return result;
}

export const toTokenAccount: Maker = (item, system) => [
  version('token_account', {
    associated: true,
    automatic_association: false,
    balance: 0n,
    balance_timestamp: 0n,
    created_timestamp: 0n,
    timestamp_range: `[${item.created_timestamp ?? 0n},)`,
    ...item,
    account_id: toId(item.account_id, system),
    token_id: toId(item.token_id, system),
  }),
];
