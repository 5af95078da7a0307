// A scheduled transaction as an answer of its own and as an item of the list (reference: rest §5, §6). The two differ in
// one thing: where the ledger has no entity for the schedule, the answer says null and the item leaves the members out.
import type { Schedule, ScheduleSignature } from '../../ledger/schedules/schedule.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { formatLinks } from '../parameters/next-link.ts';
import {
  toJsonArray,
  toJsonBase64,
  toJsonBoolean,
  toJsonEntityId,
  toJsonString,
  toJsonTimestamp,
} from '../values/json-text.ts';
import { toJsonKey } from '../values/key-text.ts';

export function formatScheduleBody(schedule: Schedule, dialect: Dialect): string {
  return formatSchedule(schedule, dialect, { deleted: '"deleted":null,', memo: '"memo":null,' });
}

export function formatSchedulesBody(schedules: readonly Schedule[], next: string | null, dialect: Dialect): string {
  const items = toJsonArray(schedules, (schedule) => formatSchedule(schedule, dialect, { deleted: '', memo: '' }));
  return `{"schedules":${items},${formatLinks(next)}}`;
}

function formatSchedule(item: Schedule, dialect: Dialect, withoutEntity: { deleted: string; memo: string }): string {
  const { entity } = item;
  const deleted = entity ? `"deleted":${toJsonBoolean(entity.deleted)},` : withoutEntity.deleted;
  const memo = entity ? `"memo":${toJsonString(entity.memo)},` : withoutEntity.memo;
  const signatures = toJsonArray(item.signatures, (signature) => formatSignature(signature, dialect));
  return `{"admin_key":${toJsonKey(entity?.adminKey ?? null)},${deleted}"consensus_timestamp":${toJsonTimestamp(item.consensusTimestamp)},"creator_account_id":${toJsonEntityId(item.creatorAccountId)},"executed_timestamp":${toJsonTimestamp(item.executedTimestamp)},"expiration_time":${toJsonTimestamp(item.expirationTime)},${memo}"payer_account_id":${toJsonEntityId(item.payerAccountId)},"schedule_id":${toJsonEntityId(item.scheduleId)},"signatures":${signatures},"transaction_body":${toJsonBase64(item.transactionBody)},"wait_for_expiry":${item.waitForExpiry}}`;
}

// Field numbers of the SignaturePair oneof.
const signatureTypes: Readonly<Record<number, string>> = {
  2: 'CONTRACT',
  3: 'ED25519',
  4: 'RSA_3072',
  5: 'ECDSA_384',
  6: 'ECDSA_SECP256K1',
};

function formatSignature(item: ScheduleSignature, dialect: Dialect): string {
  const type = (item.type !== null && signatureTypes[item.type]) || 'UNKNOWN';
  return `{"consensus_timestamp":${toJsonTimestamp(item.consensusTimestamp)},"public_key_prefix":${dialect.toJsonSignatureBytes(item.publicKeyPrefix)},"signature":${dialect.toJsonSignatureBytes(item.signature)},"type":"${type}"}`;
}
