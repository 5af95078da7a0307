// verifyproxycontract and checkproxyverification. What a minimal proxy (EIP-1167) points to stands in its own code:
// there is nothing to wait for, and the guid only repeats the question.
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
  const guid = /^(\d{1,19})-(0x[0-9a-f]{40})(?:-(0x[0-9a-f]{40}))?$/.exec(call.members.get('guid')?.trim() ?? '');
  const chain = guid && call.options.registry.find(guid[1]!);
  if (!guid || !chain) return refused('Unknown UID');
  const [, , address, expected] = guid;
  const { implementation } = await call.options.lookup.onchain(chain, address!);
  if (!implementation) {
    return refused('A corresponding implementation contract was unfortunately not detected for the proxy address.');
  }
  const addresses = [implementation.address, ...implementation.otherAddresses];
  if (expected !== undefined && !addresses.includes(expected)) {
    return refused('The provided expected results are different than the retrieved implementation address!');
  }
  const found = implementation.address;
  return succeeded(
    `The proxy's (${address}) implementation contract is found at ${found} and is successfully updated.`,
  );
}
