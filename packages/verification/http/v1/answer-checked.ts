// The answer to a check in the form of Sourcify's first API: a list of one match, and an error for everything else. Its
// status of a check without a match is 500.

import { randomUUID } from 'node:crypto';
import { toChecksumAddress } from '../../../abi/checksum-address.ts';
import type { ContractCheck } from '../../archive/contract-check.ts';
import type { VerifiedContractRow } from '../../store/select-verified-contracts.ts';
import { toHex } from '../../terms/hex.ts';
import type { CheckedSources } from '../../verify-sources.ts';
import type { JsonAnswer } from '../add-route-table.ts';

export function answerChecked({ check, standing }: CheckedSources): JsonAnswer {
  if (standing === null || check.status !== 'partial') return answerCheck(check);
  const message = `The contract ${check.address} on chainId ${check.chainId} is already partially verified. The provided new source code also yielded a partial match and will not be stored unless it's a full match`;
  return { status: 409, body: toErrorBody(message, 'already_verified') };
}

export function answerCheck(check: ContractCheck): JsonAnswer {
  if (check.status === 'perfect' || check.status === 'partial') return { body: { result: [check] } };
  return { status: 500, body: toErrorBody(check.message, check.customCode ?? 'no_match') };
}

/** Of a match that is stored and cannot be improved. */
export function answerStored(
  row: VerifiedContractRow,
  details: { name: string; runtimeCode: Buffer | null },
): JsonAnswer {
  const match = {
    address: toChecksumAddress(toHex(row.address)),
    chainId: row.chainId.toString(),
    status: 'perfect',
    storageTimestamp: row.verifiedAt.toISOString(),
    contractName: details.name,
    ...(details.runtimeCode && { onchainRuntimeBytecode: toHex(details.runtimeCode) }),
  };
  return { body: { result: [match] } };
}

/** Clients of both of Sourcify's APIs understand it. */
export function toErrorBody(message: string, customCode: string, more: object = {}) {
  return { error: message, message, customCode, errorId: randomUUID(), ...more };
}
