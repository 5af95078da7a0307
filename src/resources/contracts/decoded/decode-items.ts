// Adds what bytes say to the items of an answer. The ABI of each contract is looked up once.

import type { Abi } from '../../../../packages/abi/abi.ts';
import {
  decodeCall,
  decodeCreation,
  decodeLog,
  decodeOutput,
  decodeRevert,
  findCalled,
} from '../../../../packages/abi/decode-call.ts';
import type { DecodedCall } from '../../../../packages/abi/decoded-value.ts';
import { isSuccess } from '../../../../packages/protocol/hapi/response-codes.ts';
import type { ContractAbis } from '../../../contracts/abi/create-contract-abis.ts';
import type { DecodedAction, DecodedResult, WithDecoded } from './decoded-members.ts';

/** Of one item: a page has up to a hundred. */
const limits = { maxValues: 500, maxText: 20_000 };

export type ResultBytes = {
  contractId: bigint | null;
  functionParameters: Buffer | null;
  callResult: Buffer | null;
  errorMessage: string | null;
  createdContractIds: readonly bigint[] | null;
  /** Absent in lists of one contract. */
  transactionResult?: number;
};

export function decodeResults<T extends ResultBytes>(
  items: readonly T[],
  abis: ContractAbis,
): Promise<(T & WithDecoded<DecodedResult>)[]> {
  return decodeItems(items, ({ contractId }) => contractId, abis, decodeResult);
}

export type LogBytes = Record<'topic0' | 'topic1' | 'topic2' | 'topic3', Buffer | null> & {
  contractId: bigint;
  data: Buffer;
};

export function decodeLogs<T extends LogBytes>(
  items: readonly T[],
  abis: ContractAbis,
): Promise<(T & WithDecoded<DecodedCall>)[]> {
  return decodeItems(
    items,
    ({ contractId }) => contractId,
    abis,
    (abi, { topic0, topic1, topic2, topic3, data }) => {
      const topics = [topic0, topic1, topic2, topic3].filter((topic) => topic !== null);
      return abi && decodeLog(abi, topics, data, limits);
    },
  );
}

export type ActionBytes = {
  callType: number | null;
  recipientContract: bigint | null;
  input: Buffer | null;
  resultData: Buffer | null;
  resultDataType: number;
};

export function decodeActions<T extends ActionBytes>(
  items: readonly T[],
  abis: ContractAbis,
): Promise<(T & WithDecoded<DecodedAction>)[]> {
  return decodeItems(items, ({ recipientContract }) => recipientContract, abis, decodeAction);
}

/** `decode`: with the ABI of the item's contract; null = it is not known. */
async function decodeItems<T extends object, D>(
  items: readonly T[],
  contractOf: (item: T) => bigint | null,
  abis: ContractAbis,
  decode: (abi: Abi | null, item: T) => D | null,
): Promise<(T & WithDecoded<D>)[]> {
  const found = new Map<bigint, Abi | null>();
  for (const item of items) {
    const id = contractOf(item);
    if (id !== null && !found.has(id)) found.set(id, (await abis.find(id))?.abi ?? null);
  }
  return items.map((item) => {
    const id = contractOf(item);
    return { ...item, decoded: decode(id === null ? null : found.get(id)!, item) };
  });
}

function decodeResult(abi: Abi | null, result: ResultBytes): DecodedResult | null {
  const { contractId, functionParameters, callResult, errorMessage, createdContractIds, transactionResult } = result;
  const input = functionParameters ?? nothing;
  const isCreation = contractId !== null && createdContractIds?.includes(contractId) === true;
  const call = abi && (isCreation ? decodeCreation(abi, input, limits) : decodeCall(abi, input, limits));
  const isSuccessful = transactionResult === undefined ? !errorMessage : isSuccess(transactionResult);
  const returned = isSuccessful && !isCreation ? returnedBy(abi, input, callResult) : null;
  const error = isSuccessful ? null : decodeRevert(abi, toRevertData(errorMessage) ?? callResult ?? nothing, limits);
  return call || returned || error ? { functionParameters: call, callResult: returned, error } : null;
}

const nothing = Buffer.alloc(0);

/** A revert is stored as hex, other errors as a word. */
function toRevertData(message: string | null): Buffer | null {
  return message && /^0x(?:[0-9a-f]{2})+$/i.test(message) ? Buffer.from(message.slice(2), 'hex') : null;
}

function returnedBy(abi: Abi | null, input: Buffer, output: Buffer | null): DecodedCall | null {
  const called = abi && findCalled(abi, input);
  const values = called && output && decodeOutput(called, output, limits);
  return values ? { name: called.name, signature: called.signature, arguments: values } : null;
}

const creates = 2;
/** Field numbers of ContractAction. */
const outputType = 11;
const revertType = 12;

function decodeAction(abi: Abi | null, action: ActionBytes): DecodedAction | null {
  const { callType, resultDataType, resultData } = action;
  // What is given to a creation is code.
  const input = callType === creates ? nothing : (action.input ?? nothing);
  const call = abi && callType !== creates ? decodeCall(abi, input, limits) : null;
  const output = resultData ?? nothing;
  const result =
    resultDataType === outputType
      ? returnedBy(abi, input, output)
      : resultDataType === revertType
        ? decodeRevert(abi, output, limits)
        : null;
  return call || result ? { input: call, resultData: result } : null;
}
