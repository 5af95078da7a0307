// verifyproxycontract and checkproxyverification. What a proxy forwards to is asked of the chain when it is wanted: there
// is nothing to wait for, and the guid only repeats the question.
import { type EtherscanAnswer, refused, succeeded } from './etherscan-envelope.ts';
import { type EtherscanCall, findPlace } from './find-place.ts';

export async function readProxy(call: EtherscanCall): Promise<EtherscanAnswer> {
  const { chain, address } = findPlace(call, 'address');
  const expected = call.members.get('expectedimplementation') ? findPlace(call, 'expectedimplementation').address : '';
  const onchain = await call.options.lookup.onchain(chain, address);
  if (onchain.kind === 'none') return refused(`Unable to locate ContractCode at ${address}`);
  return succeeded([chain.chainId, address, expected].filter(Boolean).join('-'));
}

export async function checkProxy(call: EtherscanCall): Promise<EtherscanAnswer> {
  const { registry, lookup } = call.options;
  const guid = /^(\d{1,19})-(0x[0-9a-f]{40})(?:-(0x[0-9a-f]{40}))?$/.exec(call.members.get('guid')?.trim() ?? '');
  const chain = guid && registry.find(guid[1]!);
  if (!guid || !chain) return refused('Unknown UID');
  const [, , address, expected] = guid;
  const found = (await lookup.proxy(chain, address!))?.implementations ?? [];
  if (found.length === 0) {
    return refused('A corresponding implementation contract was unfortunately not detected for the proxy address.');
  }
  if (expected !== undefined && !found.includes(expected)) {
    // It may be named by another of its addresses.
    const { address: own, otherAddresses } = await lookup.onchain(chain, expected);
    if (![own, ...otherAddresses].some((one) => found.includes(one))) {
      return refused('The provided expected results are different than the retrieved implementation address!');
    }
  }
  const list = found.join(', ');
  return succeeded(`The proxy's (${address}) implementation contract is found at ${list} and is successfully updated.`);
}
