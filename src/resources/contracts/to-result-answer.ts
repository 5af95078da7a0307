// A single contract result as it is answered: in the unit that the request wants, decoded if it wants that.

import type { RouteContext } from '../../api/reading/query/context.ts';
import type { ContractResultDetail } from '../../ledger/contracts/create-contract-results.ts';
import type { ContractResultAnswer } from './contract-result-members.ts';
import { decodeDetail } from './decoded/decode-detail.ts';

type Wanted = { decode: boolean; hbar: { read(): boolean } };

export async function toResultAnswer(
  found: ContractResultDetail,
  { decode, hbar }: Wanted,
  { abis, dialect }: RouteContext,
): Promise<ContractResultAnswer> {
  // Of a synthetic result nothing is missing, though it has no result of a call.
  const partial = found.callResult === null && (dialect.partialSynthetic || !found.synthetic);
  return { ...(decode ? await decodeDetail(found, abis) : found), hbar: hbar.read(), partial };
}
