// The contracts that a call created, as the EVM's result lists them since HAPI 0.79. No published file gives the number
// of the
// field: it is taken where it holds ids of contracts, and passed over where it holds anything else.
import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { isBadData } from '../../protocol/ledger-value-error.ts';
import { findWireBytes, visitWireFields, wireBytes } from '../../protocol/wire-fields.ts';
import type { BlockMessages } from './block-messages.generated.ts';

/** Of EvmTransactionResult. */
const createdContractsField = 10;

/** Paths to an EvmTransactionResult in a TransactionOutput: of a call, an Ethereum transaction, a creation. */
const pathsToResult: readonly (readonly [number, number])[] = [
  [2, 1],
  [3, 1],
  [3, 2],
  [4, 1],
];

/** Serialized ContractIDs; empty where the output has none. Throws StreamFileError. */
export function readCreatedContracts(output: Buffer): Buffer[] {
  for (const [outer, inner] of pathsToResult) {
    const outside = findWireBytes(output, outer);
    const result = outside && findWireBytes(outside, inner);
    if (result) return readIds(result);
  }
  return [];
}

function readIds(result: Buffer): Buffer[] {
  const ids: Buffer[] = [];
  let isOther = false;
  visitWireFields(result, (number, wireType, start, end) => {
    if (number !== createdContractsField) return;
    const id = result.subarray(start, end);
    if (wireType === wireBytes && isContractId(id)) ids.push(id);
    else isOther = true;
  });
  return isOther ? [] : ids;
}

function isContractId(bytes: Buffer): boolean {
  try {
    return toBigInt(decodeMessage(proto.ContractID, bytes).contractNum) > 0n;
  } catch (error) {
    if (isBadData(error)) return false;
    throw error;
  }
}

/** A TransactionOutput with what is read of it beside its decoder. */
export type BlockOutput = BlockMessages['TransactionOutput'] & { createdContracts?: readonly Buffer[] };
