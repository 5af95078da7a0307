// Small rules over one item that contract results, logs and Ethereum transactions have in common.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';

/** What the EVM returned, of a creation or a call; null when the record holds neither. */
export function contractFunctionResult(record: proto.ITransactionRecord): proto.IContractFunctionResult | null {
  return record.contractCreateResult ?? record.contractCallResult ?? null;
}

export function isContractCallOrCreate(type: number): boolean {
  return type === typeNumber.contractCall || type === typeNumber.contractCreateInstance;
}
