// `GET /check-by-addresses` and `GET /check-all-by-addresses`: on which chains addresses are verified.

import { toChecksumAddress } from '../../../abi/checksum-address.ts';
import type { ContractLookup, FoundContract } from '../../contract-lookup.ts';
import type { Chain } from '../../registry/chain-registry.ts';
import type { VerifiedContractRow } from '../../store/select-verified-contracts.ts';
import { parseContractAddress } from '../../terms/contract-address.ts';
import { toHex } from '../../terms/hex.ts';
import { VerificationError } from '../../terms/verification-error.ts';
import type { JsonAnswer } from '../add-route-table.ts';
import { resolveProxy } from '../proxy-body.ts';
import { requireText } from '../read-body.ts';
import { queryOf } from '../request-parts.ts';
import type { V1Request, V1RoutesOptions } from './v1-context.ts';

/** Each pair of address and chain is looked up. */
const maxPairs = 200;
/** After this time no further proxy is resolved. */
const maxProxiesMs = 20_000;

export function checkAddresses(wanted: 'perfect' | 'any') {
  return async ({ registry, lookup }: V1RoutesOptions, request: V1Request): Promise<JsonAnswer> => {
    const query = queryOf(request);
    const members = Object.fromEntries(query);
    const addresses = readAddresses(requireText(members, 'addresses', '/query'));
    const chainIds = [...new Set(requireText(members, 'chainIds', '/query').split(','))];
    const unknown = chainIds.filter((chainId) => !registry.find(chainId));
    if (unknown.length > 0) throw invalid(`Invalid chainIds: ${shorten(unknown)}`);
    if (addresses.length * chainIds.length > maxPairs) {
      throw invalid(`addresses and chainIds may have at most ${maxPairs} combinations`);
    }
    const resolveProxies = query.get('resolveProxies') === 'true';
    const answers: object[] = [];
    const endsAt = Date.now() + maxProxiesMs;
    const proxyOf: ProxyOf = (chainId, address) => describeProxy(lookup, registry.find(chainId)!, address, endsAt);
    const ofChains = new Map<string, Map<string, FoundContract>>();
    for (const chainId of chainIds) ofChains.set(chainId, await lookup.findAll(registry.find(chainId)!, addresses));
    for (const address of addresses) {
      const found: { chainId: string; contract: FoundContract }[] = [];
      for (const chainId of chainIds) {
        const contract = ofChains.get(chainId)!.get(address);
        if (contract && (wanted === 'any' || matchOf(contract.contract) === 'perfect')) {
          found.push({ chainId, contract });
        }
      }
      const shown = toChecksumAddress(address);
      if (found.length === 0) answers.push({ address: shown, status: 'false' });
      else if (wanted === 'perfect') {
        answers.push({ address: shown, status: 'perfect', chainIds: found.map(({ chainId }) => chainId) });
      } else answers.push({ address: shown, chainIds: await describeAll(found, resolveProxies ? proxyOf : null) });
    }
    return { body: answers };
  };
}

type ProxyOf = (chainId: string, address: string) => Promise<object>;

async function describeAll(
  found: readonly { chainId: string; contract: FoundContract }[],
  proxyOf: ProxyOf | null,
): Promise<object[]> {
  const described: object[] = [];
  for (const { chainId, contract } of found) {
    const { runtimeMatch, creationMatch, address } = contract.contract;
    const status = runtimeMatch ?? creationMatch;
    described.push({ chainId, status, ...(proxyOf && (await proxyOf(chainId, toHex(address)))) });
  }
  return described;
}

/** The error is a sentence in this API. */
async function describeProxy(lookup: ContractLookup, chain: Chain, address: string, endsAt: number): Promise<object> {
  if (Date.now() > endsAt) return { proxyResolutionError: 'It was not asked: the others took too long.' };
  const { proxyResolutionError, ...proxy } = await resolveProxy(lookup, chain, address);
  return proxyResolutionError ? { proxyResolutionError: proxyResolutionError.message } : proxy;
}

function readAddresses(text: string): string[] {
  const asked = text.split(',').map((address) => ({ address, parsed: parseContractAddress(address) }));
  const bad = asked.filter(({ parsed }) => parsed === null).map(({ address }) => address);
  if (bad.length > 0) throw invalid(`Invalid addresses: ${shorten(bad)}`);
  return [...new Set(asked.map(({ parsed }) => parsed!))];
}

/** The better of both sides. */
export function matchOf({ runtimeMatch, creationMatch }: VerifiedContractRow): 'perfect' | 'partial' {
  return runtimeMatch === 'perfect' || creationMatch === 'perfect' ? 'perfect' : 'partial';
}

function shorten(values: readonly string[]): string {
  return values
    .slice(0, 20)
    .map((value) => value.slice(0, 100))
    .join(', ');
}

function invalid(message: string): VerificationError {
  return new VerificationError('invalid_parameter', message);
}
