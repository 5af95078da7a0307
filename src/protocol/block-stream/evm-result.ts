// What the EVM returned for a transaction, out of its outputs.
import type { EvmTransactionResultMessage, TransactionOutputMessage } from './block-messages.ts';

export type EvmOutput = { result: EvmTransactionResultMessage; isCreate: boolean };

/** null where no output has one. */
export function findEvmResult(outputs: readonly TransactionOutputMessage[]): EvmOutput | null {
  for (const { contractCall, contractCreate, ethereumCall } of outputs) {
    const created = contractCreate?.evmTransactionResult ?? ethereumCall?.evmCreateTransactionResult;
    const called = contractCall?.evmTransactionResult ?? ethereumCall?.evmCallTransactionResult;
    if (created) return { result: created, isCreate: true };
    if (called) return { result: called, isCreate: false };
  }
  return null;
}
