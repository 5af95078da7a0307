// Chain id and address of a request as a chain and an address.
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import { parseContractAddress } from '../terms/contract-address.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { Chain, ChainRegistry } from './chain-registry.ts';

/** Throws a VerificationError for a bad address or an unknown chain, in this order. */
export function resolveContract(
  registry: ChainRegistry,
  chainId: string,
  address: string,
): { chain: Chain; address: string } {
  const chain = registry.find(chainId);
  const parsed = resolveAddress(address, chain?.bytecode.kind === 'ledger' ? registry.system : undefined);
  if (chain) return { chain, address: parsed };
  throw unknownChain(chainId);
}

/** `system`: where ids such as `0.0.N` are addresses, too, which they are on our own chains only. */
export function resolveAddress(address: string, system?: SystemRealm): string {
  const parsed = parseContractAddress(address, system);
  if (parsed !== null) return parsed;
  throw new VerificationError('invalid_parameter', `Invalid address: ${address.slice(0, 100)}`);
}

export function unknownChain(chainId: string): VerificationError {
  return new VerificationError('unsupported_chain', `Chain ${chainId.slice(0, 100)} not supported for verification!`);
}
