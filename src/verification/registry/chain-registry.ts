// Which chains can be checked, where their code comes from, and which explorers are asked in which order. All of it is
// configured by the operator: no request brings an address to call.
import { type SystemRealm, usualRealm } from '../../protocol/hapi/system-entity.ts';

export type ChainRegistry = {
  /** undefined for chains that are not configured. */
  find(chainId: string): Chain | undefined;
  list(): readonly Chain[];
  /** Of the ledger that this mirror keeps. */
  system: SystemRealm;
};

export type Chain = {
  /** Decimal. */
  chainId: string;
  name: string;
  bytecode: BytecodeSource;
  /** Asked one after another until one has a record. */
  explorers: readonly Explorer[];
};

/** `ledger`: the chain is the one that this mirror keeps. */
export type BytecodeSource = { kind: 'ledger' } | { kind: 'rpc'; urls: readonly string[]; timeoutMs: number };

export type Explorer = {
  kind: ExplorerKind;
  /** For people, in messages. */
  name: string;
  /** Base address, or the path of a folder for `folder`. */
  location: string;
  key?: string;
  /** A request's own key takes the place of this explorer's. */
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
  const byId = new Map(chains.map((chain) => [chain.chainId, chain]));
  const sorted = [...byId.values()].sort((a, b) => (BigInt(a.chainId) < BigInt(b.chainId) ? -1 : 1));
  return { find: (chainId) => byId.get(chainId), list: () => sorted, system };
}
