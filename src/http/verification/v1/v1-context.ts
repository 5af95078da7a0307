// What every route of Sourcify's first API gets, and what it gives.
import type { FastifyRequest } from 'fastify';
import type { ContractLookup } from '../../../verification/contract-lookup.ts';
import { type Chain, type ChainRegistry, unknownChain } from '../../../verification/registry/chain-registry.ts';
import type { VerificationErrorCode } from '../../../verification/terms/verification-error.ts';
import type { VerifyExplorer } from '../../../verification/verify-explorer.ts';
import type { VerifySources } from '../../../verification/verify-sources.ts';
import { toClientNetwork } from '../../frame/client-network.ts';
import type { Answer } from '../../frame/route.ts';
import type { PageSite } from '../../pages/frame/page-frame.ts';

export type V1RoutesOptions = {
  registry: ChainRegistry;
  verifyExplorer: VerifyExplorer;
  verifySources: VerifySources;
  lookup: ContractLookup;
  /** What pages say of this server. */
  site: PageSite;
};

export type V1Request = FastifyRequest<{ Params: Readonly<Record<string, string>> }>;

export type V1Answer = { status?: number; body: unknown };

/** What Sourcify answers otherwise than the operation `/verify/explorer`. */
export const v1Statuses: Partial<Record<VerificationErrorCode, number>> = {
  compiler_error: 500,
  no_compiler_output: 500,
  contract_not_found_in_compiler_output: 500,
  etherscan_timeout: 502,
};

export function toAnswer({ status = 200, body }: V1Answer): Answer {
  return { status, body: JSON.stringify(body) };
}

/** Whose share of the queue a check takes. */
export function clientOf({ ip }: FastifyRequest): string {
  return toClientNetwork(ip);
}

export function queryOf({ raw }: FastifyRequest): URLSearchParams {
  return new URL(raw.url ?? '/', 'http://localhost').searchParams;
}

export function requireChain(registry: ChainRegistry, chainId: string): Chain {
  const chain = registry.find(chainId);
  if (chain) return chain;
  throw unknownChain(chainId);
}
