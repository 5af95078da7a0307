// Freeze: when the network stops, and for which update.
import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { proto } from '../../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../protocol/hapi/timestamp.ts';
import { emptyBytes } from '../../rows/contract-facts.ts';
import type { TransactionHandler } from '../handler.ts';

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

/** Before `startTime` existed, freezes named hours and minutes (UTC) of the coming day. */
function freezeTimes(
  { startTime, startHour, startMin, endHour, endMin }: proto.IFreezeTransactionBody,
  consensusTimestamp: bigint,
): { start_time: bigint; end_time: bigint | null } {
  if (startTime) return { start_time: toTimestamp(startTime), end_time: null };
  const start = nextTimeOfDay(consensusTimestamp, startHour ?? 0, startMin ?? 0);
  return { start_time: start, end_time: endHour || endMin ? nextTimeOfDay(start, endHour ?? 0, endMin ?? 0) : null };
}

function nextTimeOfDay(after: bigint, hour: number, minutes: number): bigint {
  const time = after - (after % day) + BigInt(hour * 60 + minutes) * minute;
  return time < after ? time + day : time;
}
