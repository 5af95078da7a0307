// The state at the beginning of a ledger, from the state changes of its genesis block before any transaction.
import { decodeMessage } from '../hapi/decode-message.ts';
import { proto } from '../hapi/hapi.ts';
import type { OpeningState } from '../stream/stream-block.ts';
import { type BlockStreamItem, itemKinds } from './block-item.ts';
import { blockMessages } from './block-messages.ts';

/** null if the block has none. A state change after the first transaction belongs to that transaction. */
export function readOpeningState(items: readonly BlockStreamItem[]): OpeningState | null {
  const state: OpeningState = { accounts: [], files: [], bytecodes: [], slots: [] };
  for (const { kind, content } of items) {
    if (kind === itemKinds.signedTransaction) break;
    if (kind !== itemKinds.stateChanges) continue;
    for (const { mapUpdate } of blockMessages.stateChanges.decode(content).stateChanges) {
      const { key, value } = mapUpdate ?? {};
      if (value?.account.length) state.accounts.push(decodeMessage(proto.Account, value.account));
      if (value?.file.length) state.files.push(decodeMessage(proto.File, value.file));
      if (key?.contractId.length && value?.bytecode.length) {
        const contractId = decodeMessage(proto.ContractID, key.contractId);
        state.bytecodes.push({ contractId, code: decodeMessage(proto.Bytecode, value.bytecode).code });
      }
      if (key?.slotKey.length && value?.slotValue.length) {
        const { contractID, key: slot } = decodeMessage(proto.SlotKey, key.slotKey);
        const { value: stored } = decodeMessage(proto.SlotValue, value.slotValue);
        if (contractID) state.slots.push({ contractId: contractID, key: slot, value: stored });
      }
    }
  }
  return Object.values(state).some((list) => list.length > 0) ? state : null;
}
