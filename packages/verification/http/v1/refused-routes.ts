// Routes that Sourcify's first API once had and that are not here: each says what does the same. Sourcify's own server
// has none of them any more.
import type { FastifyInstance } from 'fastify';
import { VerificationError } from '../../terms/verification-error.ts';

const refusedRoutes: readonly { method: 'GET' | 'POST'; url: string; refusal: VerificationError }[] = [
  refused(
    '/session/input-solc-json',
    "A session takes metadata.json with its sources. Send the compiler's standard JSON to POST /verify/solc-json, or to POST /v2/verify/{chainId}/{address}.",
  ),
  refused(
    '/session/verify/etherscan',
    "A session takes files only. Have the explorer's record checked by POST /verify/etherscan, or by POST /v2/verify/etherscan/{chainId}/{address}.",
  ),
  {
    method: 'POST',
    url: '/verify/vyper',
    refusal: new VerificationError(
      'unsupported_language',
      'Vyper is not supported: only Solidity and Yul can be compiled',
    ),
  },
];

function refused(url: string, message: string): (typeof refusedRoutes)[number] {
  return { method: 'POST', url, refusal: new VerificationError('route_not_found', message) };
}

/** Before a body is read. */
export function addRefusedRoutes(scope: FastifyInstance): void {
  for (const { method, url, refusal } of refusedRoutes) {
    const onRequest = async (): Promise<never> => {
      throw refusal;
    };
    scope.route({ method, url, onRequest, handler: () => {} });
  }
}
