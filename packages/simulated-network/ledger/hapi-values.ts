// Ledger values as HAPI messages, the reverse of `toEntityId` and `toBigInt`.
import Long from 'long';
import { decodeEntityId } from '../../protocol/hapi/entity-id.ts';
import type { proto } from '../../protocol/hapi/hapi.ts';

export const nsPerSecond = 1_000_000_000n;
export const tinybarPerHbar = 100_000_000n;

export function toLong(value: bigint): Long {
  return new Long(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
}

export function accountId(id: bigint): proto.IAccountID {
  return { ...place(id), accountNum: toLong(decodeEntityId(id).num) };
}

export function contractId(id: bigint): proto.IContractID {
  return { ...place(id), contractNum: toLong(decodeEntityId(id).num) };
}

export function tokenId(id: bigint): proto.ITokenID {
  return { ...place(id), tokenNum: toLong(decodeEntityId(id).num) };
}

export function fileId(id: bigint): proto.IFileID {
  return { ...place(id), fileNum: toLong(decodeEntityId(id).num) };
}

export function topicId(id: bigint): proto.ITopicID {
  return { ...place(id), topicNum: toLong(decodeEntityId(id).num) };
}

export function scheduleId(id: bigint): proto.IScheduleID {
  return { ...place(id), scheduleNum: toLong(decodeEntityId(id).num) };
}

export function nftId(token: bigint, serial: bigint): proto.INftID {
  return { token_ID: tokenId(token), serialNumber: toLong(serial) };
}

export function timestamp(ns: bigint): proto.ITimestamp {
  return { seconds: toLong(ns / nsPerSecond), nanos: Number(ns % nsPerSecond) };
}

export function duration(seconds: bigint): proto.IDuration {
  return { seconds: toLong(seconds) };
}

/** Shard and realm are left out where they are 0, as real networks do. */
function place(id: bigint): { shardNum?: Long; realmNum?: Long } {
  const { shard, realm } = decodeEntityId(id);
  return shard === 0n && realm === 0n ? {} : { shardNum: toLong(shard), realmNum: toLong(realm) };
}
