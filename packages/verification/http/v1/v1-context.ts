// What every route of Sourcify's first API gets, and what it gives.
import type { FastifyRequest } from 'fastify';
import type { Answer } from '../../../web-server/route.ts';
import type { ContractLookup } from '../../contract-lookup.ts';
import { type Chain, type ChainRegistry, unknownChain } from '../../registry/chain-registry.ts';
import type { VerificationErrorCode } from '../../terms/verification-error.ts';
import type { VerifyExplorer } from '../../verify-explorer.ts';
import type { VerifySources } from '../../verify-sources.ts';

export type V1RoutesOptions = {
  registry: ChainRegistry;
  verifyExplorer: VerifyExplorer;
  verifySources: VerifySources;
  lookup: ContractLookup;
  /** `GET /repo-ui/{chain}/{address}`: the page that tools print after a check. */
  showRepoPage(request: V1Request): Promise<{ answer: Answer }>;
  /** `POST /` with a call that is answered elsewhere, as JSON-RPC; `refuse`: null = it is none. */
  otherCalls: { maxBytes: number; refuse(body: Uint8Array): Answer | null };
};

export type V1Request = FastifyRequest<{ Params: Readonly<Record<string, string>> }>;

/** What Sourcify answers otherwise than the operation `/verify/explorer`. */
export const v1Statuses: Partial<Record<VerificationErrorCode, number>> = {
  compiler_error: 500,
  no_compiler_output: 500,
  contract_not_found_in_compiler_output: 500,
  etherscan_timeout: 502,
};

export function requireChain(registry: ChainRegistry, chainId: string): Chain {
  const chain = registry.find(chainId);
  if (chain) return chain;
  throw unknownChain(chainId);
}
