// The maximum custom fees that an account accepts, as a serialized HAPI CustomFeeLimit.
import type { EntityIdParts } from './entity-id.ts';
import { proto, toBigInt } from './hapi.ts';

/** Of one fee. Ids are as written, of any size. */
export type FeeLimit = {
  /** null if the message names no account by number. */
  accountId: EntityIdParts | null;
  amount: bigint;
  /** null = hbar; a present but empty id is 0.0.0. */
  denominatingTokenId: EntityIdParts | null;
};

/** One for each fee. Throws if the bytes are no such message. */
export function decodeCustomFeeLimit(bytes: Uint8Array): FeeLimit[] {
  const { accountId, fees } = proto.CustomFeeLimit.decode(bytes);
  const account = accountId?.accountNum ? toParts(accountId, accountId.accountNum) : null;
  return (fees ?? []).map(({ amount, denominatingTokenId }) => ({
    accountId: account,
    amount: toBigInt(amount),
    denominatingTokenId: denominatingTokenId ? toParts(denominatingTokenId, denominatingTokenId.tokenNum) : null,
  }));
}

type HapiInteger = Parameters<typeof toBigInt>[0];

function toParts(id: { shardNum?: HapiInteger; realmNum?: HapiInteger }, num: HapiInteger): EntityIdParts {
  return { shard: toBigInt(id.shardNum), realm: toBigInt(id.realmNum), num: toBigInt(num) };
}
