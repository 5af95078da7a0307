// Which chain and which contract a call means.

import type { VerificationRoutesOptions } from '../http/verification-routes.ts';
import { type Chain, resolveContract } from '../registry/chain-registry.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { CallMembers } from './read-call.ts';

export type EtherscanOptions = Pick<VerificationRoutesOptions, 'registry' | 'jobs' | 'lookup'> & {
  /** The mirrored chain, which calls without `chainid` mean. */
  chain: Pick<Chain, 'chainId'>;
};

export type EtherscanCall = {
  members: CallMembers;
  /** Whether it came with POST. */
  isSent: boolean;
  client: string;
  options: EtherscanOptions;
};

/** The chain, and the contract that the member `name` means there. */
export function findPlace({ members, options }: EtherscanCall, name: string): { chain: Chain; address: string } {
  const text = members.get(name)?.trim() ?? '';
  if (text === '') throw new VerificationError('invalid_parameter', `Error! Missing ${name}`);
  try {
    return resolveContract(options.registry, chainIdOf(members, options), text);
  } catch (error) {
    if (!(error instanceof VerificationError) || error.code !== 'invalid_parameter') throw error;
    throw new VerificationError('invalid_parameter', 'Error! Invalid address format');
  }
}

export function chainIdOf(members: CallMembers, { chain }: EtherscanOptions): string {
  const said = members.get('chainid')?.trim() || chain.chainId;
  return /^0x[0-9a-f]{1,15}$/i.test(said) ? BigInt(said).toString() : said;
}
