// `GET /check-by-addresses` and `GET /check-all-by-addresses`: on which chains addresses are verified.

import { toChecksumAddress } from '../../../abi/checksum-address.ts';
import type { ContractLookup, FoundContract } from '../../contract-lookup.ts';
import type { VerifiedContractRow } from '../../store/select-verified-contracts.ts';
import { parseContractAddress } from '../../terms/contract-address.ts';
import { VerificationError } from '../../terms/verification-error.ts';
import type { JsonAnswer } from '../add-route-table.ts';
import { requireText } from '../read-body.ts';
import { queryOf } from '../request-parts.ts';
import { formatProxyOf } from '../verified-contract-body.ts';
import type { V1Request, V1RoutesOptions } from './v1-context.ts';

/** Each pair of address and chain is looked up. */
const maxPairs = 200;

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
      } else answers.push({ address: shown, chainIds: await describeAll(lookup, found, resolveProxies) });
    }
    return { body: answers };
  };
}

async function describeAll(
  lookup: ContractLookup,
  found: readonly { chainId: string; contract: FoundContract }[],
  resolveProxies: boolean,
): Promise<object[]> {
  const described: object[] = [];
  for (const { chainId, contract } of found) {
    const status = contract.contract.runtimeMatch ?? contract.contract.creationMatch;
    described.push({ chainId, status, ...(resolveProxies && (await describeProxy(lookup, contract))) });
  }
  return described;
}

function readAddresses(text: string): string[] {
  const asked = text.split(',').map((address) => ({ address, parsed: parseContractAddress(address) }));
  const bad = asked.filter(({ parsed }) => parsed === null).map(({ address }) => address);
  if (bad.length > 0) throw invalid(`Invalid addresses: ${shorten(bad)}`);
  return [...new Set(asked.map(({ parsed }) => parsed!))];
}

async function describeProxy(lookup: ContractLookup, contract: FoundContract): Promise<object> {
  const details = await lookup.details(contract);
  return details ? formatProxyOf(details) : {};
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
