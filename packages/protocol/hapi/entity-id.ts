// Entity ids: one signed int64 that packs shard (10 bits), realm (16 bits) and num (38 bits), as the ledger's tables
// store them. For 0.0.n the id is n itself. 0n means "no entity".
import { isBadData, LedgerValueError } from '../ledger-value-error.ts';
import { type proto, toBigInt } from './hapi.ts';

export type EntityId = bigint;

export const maxShard = 1023n;
export const maxRealm = 65_535n;
export const maxNum = 274_877_906_943n;

/** Packs the three parts. Throws LedgerValueError if a part is negative or too large. */
export function encodeEntityId(shard: bigint, realm: bigint, num: bigint): EntityId {
  if (shard < 0n || shard > maxShard || realm < 0n || realm > maxRealm || num < 0n || num > maxNum) {
    throw new LedgerValueError(`Invalid entity id ${shard}.${realm}.${num}`);
  }
  if (shard === 0n && realm === 0n) return num;
  return BigInt.asIntN(64, (shard << 54n) | (realm << 38n) | num);
}

/** `maxNum`: every integer up to it is exact as a number. */
const maxPlain = Number(maxNum);

export type EntityIdParts = { shard: bigint; realm: bigint; num: bigint };

/** The three parts of a packed id. */
export function decodeEntityId(id: EntityId): EntityIdParts {
  return { shard: (id >> 54n) & maxShard, realm: (id >> 38n) & maxRealm, num: id & maxNum };
}

/** `shard.realm.num` in decimal, also for 0n (callers that write null for "no entity" decide that themselves). */
export function formatEntityId(id: EntityId): string {
  // As a number it is written twice as fast.
  const plain = Number(id);
  if (plain >= 0 && plain <= maxPlain) return `0.0.${plain}`;
  return formatEntityIdParts(decodeEntityId(id));
}

/** The same from parts, which may be of any size. */
export function formatEntityIdParts({ shard, realm, num }: EntityIdParts): string {
  return `${shard}.${realm}.${num}`;
}

/** `shard.realm.num` → packed id. Throws LedgerValueError on anything else. */
export function parseEntityId(text: string): EntityId {
  const match = /^(\d{1,4})\.(\d{1,5})\.(\d{1,12})$/.exec(text);
  if (!match) throw new LedgerValueError(`Invalid entity id "${text}"`);
  return encodeEntityId(BigInt(match[1]!), BigInt(match[2]!), BigInt(match[3]!));
}

type WithNum =
  | proto.IAccountID
  | proto.IContractID
  | proto.ITokenID
  | proto.IFileID
  | proto.ITopicID
  | proto.IScheduleID;

/**
 * A HAPI id message → packed id; 0n if absent or if it holds an alias or EVM address instead of a number. Throws
 * LedgerValueError if a part is negative or too large.
 */
export function toEntityId(message: WithNum | null | undefined): EntityId {
  if (!message) return 0n;
  const fields = message as Record<string, Parameters<typeof toBigInt>[0]>;
  const num =
    fields.accountNum ??
    fields.contractNum ??
    fields.tokenNum ??
    fields.fileNum ??
    fields.topicNum ??
    fields.scheduleNum;
  if (num === null || num === undefined) return 0n;
  const { shardNum, realmNum } = fields;
  if (isZero(shardNum) && isZero(realmNum) && typeof num === 'object' && num.high >= 0 && num.high <= maxNumHigh)
    return toBigInt(num);
  return encodeEntityId(toBigInt(fields.shardNum), toBigInt(fields.realmNum), toBigInt(num));
}

/** The upper 32 bits of `maxNum`. */
const maxNumHigh = 63;

/** Most ids have shard and realm 0: no integers are made of them. */
function isZero(value: Parameters<typeof toBigInt>[0]): boolean {
  return !value || (typeof value === 'object' && value.low === 0 && value.high === 0);
}

/** As `toEntityId`, but 0n also for an invalid id: where the id is not essential. */
export function toEntityIdOrNone(message: WithNum | null | undefined): EntityId {
  try {
    return toEntityId(message);
  } catch (error) {
    if (isBadData(error)) return 0n;
    throw error;
  }
}
