// A scheduled transaction as an answer of its own and as an item of the list (docs/reference/rest-behaviour.md,
// Schedules). The two differ in one thing: where the ledger has no entity for the schedule, the answer says null and
// the item leaves the members out.
import type { Page } from '../../../ledger/question/page.ts';
import type { Schedule, ScheduleSignature } from '../../../ledger/schedules/schedule.ts';
import type { ReadingContext } from '../../reading/query/context.ts';
import type { Kind } from '../../values/kind.ts';
import { orNull } from '../../values/kind.ts';
import { base64, boolean, entityId, key, links, text, timestamp, word } from '../../values/kinds.ts';
import { array, type Member, members, nullable, optional, value } from '../../values/members.ts';
import type { Linked } from '../../values/page-of.ts';

export function createScheduleKind({ dialect }: ReadingContext): Kind<Schedule> {
  return members<Schedule>(
    createTable(dialect, {
      deleted: nullable(boolean, ({ entity }) => entity?.deleted ?? null),
      memo: nullable(text, ({ entity }) => entity?.memo ?? null),
    }),
    { name: 'Schedule' },
  );
}

export function createSchedulesKind({ dialect }: ReadingContext): Kind<Linked<Page<Schedule>>> {
  const item = members<Schedule>(
    createTable(dialect, {
      deleted: optional(orNull(boolean), ({ entity }) => entity?.deleted),
      memo: optional(text, ({ entity }) => entity?.memo),
    }),
    { name: 'ListedSchedule' },
  );
  return members<Linked<Page<Schedule>>>(
    { schedules: array(item, ({ items }) => items), links: value(links, ({ link }) => link) },
    { name: 'Schedules' },
  );
}

function createTable(
  dialect: ReadingContext['dialect'],
  { deleted, memo }: Record<'deleted' | 'memo', Member<Schedule>>,
): Record<string, Member<Schedule>> {
  const signature = members<ScheduleSignature>(
    {
      consensus_timestamp: value(timestamp, (item) => item.consensusTimestamp),
      public_key_prefix: value(dialect.signatureBytes, (item) => item.publicKeyPrefix),
      signature: value(dialect.signatureBytes, (item) => item.signature),
      type: value(
        word([...Object.values(signatureTypes), 'UNKNOWN']),
        (item) => (item.type !== null && signatureTypes[item.type]) || 'UNKNOWN',
      ),
    },
    { name: 'ScheduleSignature' },
  );
  return {
    admin_key: value(key, (schedule) => schedule.entity?.adminKey ?? null),
    deleted,
    consensus_timestamp: value(timestamp, (schedule) => schedule.consensusTimestamp),
    creator_account_id: value(entityId, (schedule) => schedule.creatorAccountId),
    executed_timestamp: nullable(timestamp, (schedule) => schedule.executedTimestamp),
    expiration_time: nullable(timestamp, (schedule) => schedule.expirationTime),
    memo,
    payer_account_id: value(entityId, (schedule) => schedule.payerAccountId),
    schedule_id: value(entityId, (schedule) => schedule.scheduleId),
    signatures: array(signature, (schedule) => schedule.signatures),
    transaction_body: value(base64, (schedule) => schedule.transactionBody),
    wait_for_expiry: value(boolean, (schedule) => schedule.waitForExpiry),
  };
}

// Field numbers of the SignaturePair oneof.
const signatureTypes: Readonly<Record<number, string>> = {
  2: 'CONTRACT',
  3: 'ED25519',
  4: 'RSA_3072',
  5: 'ECDSA_384',
  6: 'ECDSA_SECP256K1',
};
