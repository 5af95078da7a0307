// Freeze: when the network stops, and for which update.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { proto } from '../../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../protocol/hapi/timestamp.ts';
import { emptyBytes } from '../../evm/contract-facts.ts';
import type { TransactionHandler } from '../../block/item-context.ts';

export const freeze: TransactionHandler = {
  bodyField: 'freeze',
  entityId: (item) => toEntityId(item.body.freeze?.updateFile),
  onSuccess(item, context) {
    const body = item.body.freeze;
    if (!body) return;
    context.rows.insert('network_freeze', {
      consensus_timestamp: item.consensusTimestamp,
      ...freezeTimes(body, item.consensusTimestamp),
      file_hash: body.fileHash ?? emptyBytes,
      file_id: toEntityId(body.updateFile) || null,
      payer_account_id: item.payerAccountId,
      type: proto.FreezeType[body.freezeType ?? 0] === undefined ? unknownFreezeType : (body.freezeType ?? 0),
    });
  },
};

const unknownFreezeType = proto.FreezeType.UNKNOWN_FREEZE_TYPE;
const minute = 60_000_000_000n;
const day = 1440n * minute;

/** Before `startTime` existed, freezes named hours and minutes (UTC) of their own day; one may end on the next. */
function freezeTimes(
  { startTime, startHour, startMin, endHour, endMin }: proto.IFreezeTransactionBody,
  consensusTimestamp: bigint,
): { start_time: bigint; end_time: bigint | null } {
  if (startTime) return { start_time: toTimestamp(startTime), end_time: null };
  const today = consensusTimestamp - (consensusTimestamp % day);
  const endDay = (startHour ?? 0) > (endHour ?? 0) ? today + day : today;
  return { start_time: today + timeOfDay(startHour, startMin), end_time: endDay + timeOfDay(endHour, endMin) };
}

function timeOfDay(hour: number | null | undefined, minutes: number | null | undefined): bigint {
  return BigInt((hour ?? 0) * 60 + (minutes ?? 0)) * minute;
}
