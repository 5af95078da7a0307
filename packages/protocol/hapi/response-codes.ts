// The response codes of HAPI 0.79, the only place with their numbers and which of them mean success: the package's
// enum, plus what was renamed or added since version 2.25 of the package.
import { proto } from './hapi.ts';

const renamedOrAdded = {
  EVM_HOOK_STORAGE_UPDATE_BYTES_TOO_LONG: 505,
  EVM_HOOK_STORAGE_UPDATE_BYTES_MUST_USE_MINIMAL_REPRESENTATION: 506,
  EMPTY_EVM_HOOK_STORAGE_UPDATE: 508,
  HOOK_IS_NOT_AN_EVM_HOOK: 511,
  TOO_MANY_EVM_HOOK_STORAGE_UPDATES: 513,
  TRANSFER_TO_FEE_COLLECTION_ACCOUNT_NOT_ALLOWED: 527,
  TOO_MANY_HOOK_INVOCATIONS: 528,
  INVALID_REGISTERED_NODE_ID: 529,
  INVALID_REGISTERED_ENDPOINT: 530,
  REGISTERED_ENDPOINTS_EXCEEDED_LIMIT: 531,
  INVALID_REGISTERED_ENDPOINT_ADDRESS: 532,
  INVALID_REGISTERED_ENDPOINT_TYPE: 533,
  REGISTERED_NODE_STILL_ASSOCIATED: 534,
  MAX_REGISTERED_NODES_EXCEEDED: 535,
} as const;

type PackageName = keyof typeof proto.ResponseCodeEnum;
export type ResponseCodeName = PackageName | keyof typeof renamedOrAdded;

// The enum maps names to numbers and numbers to names.
const packageNames = Object.keys(proto.ResponseCodeEnum).filter((name) => Number.isNaN(Number(name))) as PackageName[];

/** Numbers by name: `responseCode.SUCCESS` is 22. */
export const responseCode = {
  ...Object.fromEntries(packageNames.map((name) => [name, Number(proto.ResponseCodeEnum[name])])),
  ...renamedOrAdded,
} as { readonly [Name in ResponseCodeName]: number };

const namesByNumber: ReadonlyMap<number, string> = new Map(
  Object.entries(responseCode).map(([name, number]) => [number, name]),
);

/** `UNKNOWN` if no name is known. */
export function responseCodeName(code: number): string {
  return namesByNumber.get(code) ?? 'UNKNOWN';
}

/** Of successful transactions. */
export const successCodes: readonly number[] = [
  responseCode.SUCCESS,
  responseCode.FEE_SCHEDULE_FILE_PART_UPLOADED,
  responseCode.SUCCESS_BUT_MISSING_EXPECTED_OPERATION,
];
const successes: ReadonlySet<number> = new Set(successCodes);

export function isSuccess(code: number): boolean {
  return successes.has(code);
}
