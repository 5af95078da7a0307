// The bodies of schedules and schedules/{id}. Where the ledger has no entity for a schedule, the list leaves `deleted` and
// `memo` out, and the single answer says null.
import { Type } from '@sinclair/typebox';
import type { Dialect } from '../dialect/dialect.ts';
import { base64, entityId, key, links, nullable, oneOf, reference, timestamp } from './value-schemas.ts';

export function createScheduleSchemas(dialect: Dialect) {
  return {
    Schedules: Type.Object({ schedules: Type.Array(reference('ListedSchedule')), links }),
    ListedSchedule: Type.Object({
      ...members,
      deleted: Type.Optional(nullable(Type.Boolean())),
      memo: Type.Optional(Type.String()),
    }),
    Schedule: Type.Object({ ...members, deleted: nullable(Type.Boolean()), memo: nullable(Type.String()) }),
    ScheduleSignature: Type.Object({
      consensus_timestamp: timestamp,
      public_key_prefix: dialect.schemas.signatureBytes,
      signature: dialect.schemas.signatureBytes,
      type: oneOf(['CONTRACT', 'ED25519', 'RSA_3072', 'ECDSA_384', 'ECDSA_SECP256K1', 'UNKNOWN']),
    }),
  };
}

const members = {
  admin_key: nullable(key),
  consensus_timestamp: timestamp,
  creator_account_id: nullable(entityId),
  executed_timestamp: nullable(timestamp),
  expiration_time: nullable(timestamp),
  payer_account_id: nullable(entityId),
  schedule_id: nullable(entityId),
  signatures: Type.Array(reference('ScheduleSignature')),
  transaction_body: base64,
  wait_for_expiry: Type.Boolean(),
};
