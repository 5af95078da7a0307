// What is behind a proxy, in Sourcify's words.
import { randomUUID } from 'node:crypto';
import { toChecksumAddress } from '../../abi/checksum-address.ts';
import type { ContractLookup } from '../contract-lookup.ts';
import type { ProxyKind } from '../onchain/find-proxy.ts';
import type { Chain } from '../registry/chain-registry.ts';
import { toVerificationError } from './verification-error-body.ts';

/** Either whether it is a proxy and of what, or why that is not known. */
export type ProxyResolution = {
  isProxy?: boolean;
  proxyType?: string | null;
  /** `name`: of those that are verified. */
  implementations?: { address: string; name?: string }[];
  proxyResolutionError?: { customCode: 'proxy_resolution_error'; message: string; errorId: string };
};

/** Sourcify has no word of its own for proxies with a beacon. */
const proxyTypes: Readonly<Record<ProxyKind, string>> = {
  eip1167: 'EIP1167Proxy',
  eip1967: 'EIP1967Proxy',
  'eip1967-beacon': 'EIP1967Proxy',
  eip1822: 'PROXIABLEProxy',
  diamond: 'DiamondProxy',
  zeppelinos: 'ZeppelinOSProxy',
  safe: 'GnosisSafeProxy',
  sequence: 'SequenceWalletProxy',
};

/** Never rejects for what the chain does: the rest of an answer does not depend on it. */
export async function resolveProxy(lookup: ContractLookup, chain: Chain, address: string): Promise<ProxyResolution> {
  try {
    const proxy = await lookup.proxy(chain, address);
    if (proxy === null) return { isProxy: false, proxyType: null, implementations: [] };
    const names = await lookup.names(chain, proxy.implementations);
    const implementations = proxy.implementations.map((one) => {
      const name = names.get(one);
      return { address: toChecksumAddress(one), ...(name && { name }) };
    });
    return { isProxy: true, proxyType: proxyTypes[proxy.kind], implementations };
  } catch (error) {
    const { message } = toVerificationError(error);
    return { proxyResolutionError: { customCode: 'proxy_resolution_error', message, errorId: randomUUID() } };
  }
}
