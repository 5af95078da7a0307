// Names of HAPI response codes: the field's own list, brought up to date where the package that carries it is behind.
import { proto } from '../../protocol/hapi/hapi.ts';

/** `UNKNOWN` where no name is known. */
export function responseCodeName(code: number): string {
  return newerNames[code] ?? proto.ResponseCodeEnum[code] ?? 'UNKNOWN';
}

// SUCCESS, FEE_SCHEDULE_FILE_PART_UPLOADED, SUCCESS_BUT_MISSING_EXPECTED_OPERATION
const successes: readonly number[] = [22, 104, 220];

export function isSuccess(code: number): boolean {
  return successes.includes(code);
}

// Renamed or added since version 2.25 of the package.
const newerNames: Readonly<Record<number, string>> = {
  505: 'EVM_HOOK_STORAGE_UPDATE_BYTES_TOO_LONG',
  506: 'EVM_HOOK_STORAGE_UPDATE_BYTES_MUST_USE_MINIMAL_REPRESENTATION',
  508: 'EMPTY_EVM_HOOK_STORAGE_UPDATE',
  511: 'HOOK_IS_NOT_AN_EVM_HOOK',
  513: 'TOO_MANY_EVM_HOOK_STORAGE_UPDATES',
  527: 'TRANSFER_TO_FEE_COLLECTION_ACCOUNT_NOT_ALLOWED',
  528: 'TOO_MANY_HOOK_INVOCATIONS',
  529: 'INVALID_REGISTERED_NODE_ID',
  530: 'INVALID_REGISTERED_ENDPOINT',
  531: 'REGISTERED_ENDPOINTS_EXCEEDED_LIMIT',
  532: 'INVALID_REGISTERED_ENDPOINT_ADDRESS',
  533: 'INVALID_REGISTERED_ENDPOINT_TYPE',
  534: 'REGISTERED_NODE_STILL_ASSOCIATED',
  535: 'MAX_REGISTERED_NODES_EXCEEDED',
};
