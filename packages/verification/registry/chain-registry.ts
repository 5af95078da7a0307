// Which chains can be checked, where their code comes from, and which explorers are asked in which order. All of it is
// configured by the operator: no request can name an address to call.
import { type SystemRealm, usualRealm } from '../../protocol/hapi/system-entity.ts';
import { parseContractAddress } from '../terms/contract-address.ts';
import { VerificationError } from '../terms/verification-error.ts';

export type ChainRegistry = {
  /** undefined for chains that are not configured. */
  find(chainId: string): Chain | undefined;
  list(): readonly Chain[];
  /** Of the mirrored ledger. */
  system: SystemRealm;
};

/** Of the mirrored ledger the members may change, once: with the name of its network. */
export type Chain = {
  /** Decimal. */
  readonly chainId: string;
  readonly name: string;
  readonly bytecode: BytecodeSource;
  /** Asked one after another until one has a record. */
  readonly explorers: readonly Explorer[];
};

/** `ledger`: the chain is the mirrored one. */
export type BytecodeSource = { kind: 'ledger' } | { kind: 'rpc'; urls: readonly string[]; timeoutMs: number };

export type Explorer = {
  kind: ExplorerKind;
  /** For people, in messages. */
  name: string;
  /** Base address, or the path of a folder for `folder`. */
  location: string;
  key?: string;
  /** A request's own key replaces this explorer's. */
  takesKey: boolean;
  ratePerSecond: number;
  timeoutMs: number;
  /** Longest answer that is read, after decompression. */
  recordBytes: number;
};

export const explorerKinds = ['etherscan', 'blockscout', 'routescan', 'sourcify', 'folder'] as const;
export type ExplorerKind = (typeof explorerKinds)[number];

/** Later chains replace earlier ones of the same id. */
export function createChainRegistry(chains: readonly Chain[], system: SystemRealm = usualRealm): ChainRegistry {
  const find = (chainId: string) => chains.findLast((chain) => chain.chainId === chainId);
  return {
    find,
    list: () =>
      chains
        .filter((chain) => find(chain.chainId) === chain)
        .sort((a, b) => (BigInt(a.chainId) < BigInt(b.chainId) ? -1 : 1)),
    system,
  };
}

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

/** `system`: where ids such as `0.0.N` are addresses as well: on our own chains only. */
export function resolveAddress(address: string, system?: SystemRealm): string {
  const parsed = parseContractAddress(address, system);
  if (parsed !== null) return parsed;
  throw new VerificationError('invalid_parameter', `Invalid address: ${address.slice(0, 100)}`);
}

export function unknownChain(chainId: string): VerificationError {
  return new VerificationError('unsupported_chain', `Chain ${chainId.slice(0, 100)} not supported for verification!`);
}
