// Signatures that a schedule has collected: those of its creation and of every ScheduleSign. Called for successful
// transactions of all types.

import { decodeSignatureMap } from '../../protocol/hapi/decode-signature-map.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';

export function addScheduleSignatures(item: BlockItem, context: ItemContext): void {
  const { entityId } = item;
  // One that is for no schedule is found by none, and a distributed database takes no row without it.
  if (!signingTypes.has(item.type) || !entityId) return;
  const prefixes = new Set<string>();
  for (const { publicKeyPrefix, signature, type } of decodeSignatureMap(item.signatureMapBytes)) {
    const prefix = publicKeyPrefix.toString('hex');
    if (prefixes.has(prefix)) continue;
    prefixes.add(prefix);
    context.rows.insert('transaction_signature', {
      consensus_timestamp: item.consensusTimestamp,
      entity_id: entityId,
      public_key_prefix: publicKeyPrefix,
      signature,
      type,
    });
  }
}

/** SCHEDULECREATE and SCHEDULESIGN. */
const signingTypes: ReadonlySet<number> = new Set([typeNumber.scheduleCreate, typeNumber.scheduleSign]);
