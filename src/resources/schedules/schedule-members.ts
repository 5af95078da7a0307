// A scheduled transaction as a single answer and as an item of the list (docs/reference/rest-behaviour.md, Schedules).
// They differ in one thing: if the ledger has no entity for the schedule, the answer has null and the item omits the
// members.

import type { ScheduleRow } from '../../../packages/store/read/select-schedules.ts';
import type { ReadingContext } from '../../api/reading/query/context.ts';
import { orNull } from '../../api/values/kind.ts';
import { base64, boolean, entityId, key, numbered, text, timestamp } from '../../api/values/kinds.ts';
import { array, members, nullable, optional } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';

export function createScheduleKind(context: ReadingContext) {
  const table = createTable(context, { deleted: nullable(boolean), memo: nullable(text) });
  return members(table, { name: 'Schedule' });
}

export function createSchedulesKind(context: ReadingContext) {
  const table = createTable(context, {
    deleted: optional(orNull(boolean), (row: ScheduleRow) => (row.entityId === null ? undefined : row.deleted)),
    memo: optional(text, (row: ScheduleRow) => row.memo ?? undefined),
  });
  return pageOf('schedules', members(table, { name: 'ListedSchedule' }), 'Schedules');
}

function createTable<D, M>({ dialect }: ReadingContext, { deleted, memo }: { deleted: D; memo: M }) {
  const signature = members(
    {
      consensus_timestamp: timestamp,
      public_key_prefix: dialect.signatureBytes,
      signature: dialect.signatureBytes,
      type: signatureType,
    },
    { name: 'ScheduleSignature' },
  );
  return {
    admin_key: key,
    deleted,
    consensus_timestamp: timestamp,
    creator_account_id: entityId,
    executed_timestamp: nullable(timestamp),
    expiration_time: nullable(timestamp),
    memo,
    payer_account_id: entityId,
    schedule_id: entityId,
    signatures: array(signature),
    transaction_body: base64,
    wait_for_expiry: boolean,
  };
}

/** By their field numbers in the SignaturePair oneof. */
const signatureType = numbered(
  { 2: 'CONTRACT', 3: 'ED25519', 4: 'RSA_3072', 5: 'ECDSA_384', 6: 'ECDSA_SECP256K1' },
  'UNKNOWN',
);
