import { toEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../../packages/protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../../packages/protocol/hapi/timestamp.ts';
import type { FamilyHandlers } from '../../block/transaction-handler.ts';
import { emptyBytes } from '../../columns/stored-values.ts';
import { nodeCreate, nodeDelete, nodeUpdate } from './node-change.ts';
import { nodeStakeUpdate } from './node-stake-update.ts';
import { registeredNodeCreate, registeredNodeDelete, registeredNodeUpdate } from './registered-node-change.ts';

export const networkHandlers: FamilyHandlers<'network'> = {
  // When the network stops, and for which upgrade.
  freeze: {
    entityId: ({ updateFile }) => toEntityId(updateFile),
    onSuccess: (body, item, { rows }) => {
      const type = body.freezeType ?? 0;
      rows.insert('network_freeze', {
        consensus_timestamp: item.consensusTimestamp,
        ...freezeTimes(body, item.consensusTimestamp),
        file_hash: body.fileHash ?? emptyBytes,
        file_id: toEntityId(body.updateFile) || null,
        payer_account_id: item.payerAccountId,
        type: proto.FreezeType[type] === undefined ? proto.FreezeType.UNKNOWN_FREEZE_TYPE : type,
      });
    },
  },
  // The id with which the network proves its blocks, and the weights of the nodes behind the proof.
  ledgerIdPublication: {
    onSuccess: ({ historyProofVerificationKey, ledgerId, nodeContributions }, item, { rows }) =>
      rows.upsert('ledger', {
        consensus_timestamp: item.consensusTimestamp,
        history_proof_verification_key: historyProofVerificationKey ?? emptyBytes,
        ledger_id: ledgerId ?? emptyBytes,
        node_contributions: nodeContributions.map(({ historyProofKey, nodeId, weight }) => ({
          history_proof_key: Buffer.from(historyProofKey ?? emptyBytes).toString('base64'),
          node_id: toBigInt(nodeId),
          weight: toBigInt(weight),
        })),
      }),
  },
  nodeCreate,
  nodeDelete,
  nodeStakeUpdate,
  nodeUpdate,
  registeredNodeCreate,
  registeredNodeDelete,
  registeredNodeUpdate,
  // The random bytes or number in the record; without it no row.
  utilPrng: {
    onSuccess: ({ range }, { consensusTimestamp, payerAccountId, record: { prngBytes, prngNumber } }, { rows }) => {
      if (!prngBytes && (prngNumber === null || prngNumber === undefined)) return;
      rows.insert('prng', {
        consensus_timestamp: consensusTimestamp,
        payer_account_id: payerAccountId,
        prng_bytes: prngBytes ?? null,
        prng_number: prngNumber ?? null,
        range: range ?? 0,
      });
    },
  },
};

const minute = 60_000_000_000n;
const day = 1440n * minute;

/** Before `startTime` existed, freezes had hours and minutes (UTC) of their own day; one may end on the next. */
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
