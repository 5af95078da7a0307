// What every route of Sourcify's first API gets, and what it gives.
import type { FastifyRequest } from 'fastify';
import type { PageSite } from '../../../pages/frame/page-frame.ts';
import type { ContractLookup } from '../../../verification/contract-lookup.ts';
import { type Chain, type ChainRegistry, unknownChain } from '../../../verification/registry/chain-registry.ts';
import type { VerificationErrorCode } from '../../../verification/terms/verification-error.ts';
import type { VerifyExplorer } from '../../../verification/verify-explorer.ts';
import type { VerifySources } from '../../../verification/verify-sources.ts';

export type V1RoutesOptions = {
  registry: ChainRegistry;
  verifyExplorer: VerifyExplorer;
  verifySources: VerifySources;
  lookup: ContractLookup;
  /** What pages say of this server. */
  site: PageSite;
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
