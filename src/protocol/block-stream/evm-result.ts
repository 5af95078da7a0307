// What the EVM returned for a transaction, out of its outputs.
import type { BlockMessages } from './block-messages.generated.ts';

export type EvmOutput = { result: BlockMessages['EvmTransactionResult']; isCreate: boolean };

/** null where no output has one. */
export function findEvmResult(outputs: readonly BlockMessages['TransactionOutput'][]): EvmOutput | null {
  for (const { contractCall, contractCreate, ethereumCall } of outputs) {
    const created = contractCreate?.evmTransactionResult ?? ethereumCall?.evmCreateTransactionResult;
    const called = contractCall?.evmTransactionResult ?? ethereumCall?.evmCallTransactionResult;
    if (created) return { result: created, isCreate: true };
    if (called) return { result: called, isCreate: false };
  }
  return null;
}
