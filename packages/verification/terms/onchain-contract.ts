// What a chain knows about an address: its code, its creation, and its kind.
export type OnchainContract = {
  chainId: string;
  /** 0x and 40 lower-case hex digits: the address that EVM code sees (a contract's own EVM address if it has one). */
  address: string;
  /** Other addresses of the same contract, e.g. its long-zero address. */
  otherAddresses: string[];
  /** `none`: no contract there; `token` and `system`: code that the network itself provides. */
  kind: 'contract' | 'token' | 'system' | 'none';
  /** Code as eth_getCode returns it; null = the chain has the contract but not its code. */
  runtimeCode: Buffer | null;
  /** Creation codes to try, likeliest first: with and without constructor arguments. Empty = unknown. */
  creationCodes: Buffer[];
  deleted: boolean;
  creation: ContractCreation | null;
  /** Why the creation could not be asked for; only its runtime code is compared then. */
  creationProblem?: { message: string; isTemporary: boolean };
  /** Target of a minimal proxy (EIP-1167). */
  implementation: OnchainContract | null;
};

export type ContractCreation = {
  transactionHash: string | null;
  blockNumber: bigint | null;
  transactionIndex: number | null;
  deployer: string | null;
  /** The contract that made it, if one did; null also where the chain does not tell. */
  factory: string | null;
  /** Consensus time in nanoseconds; null where the chain does not tell. */
  createdTimestamp: bigint | null;
};

/** An address about which nothing else is known. */
export function toOnchainContract(chainId: string, address: string, kind: OnchainContract['kind']): OnchainContract {
  return {
    chainId,
    address,
    otherAddresses: [],
    kind,
    runtimeCode: null,
    creationCodes: [],
    deleted: false,
    creation: null,
    implementation: null,
  };
}

/** One chain's contracts. Throws a VerificationError (`cannot_fetch_bytecode`) if it cannot be asked. */
export type OnchainSource = {
  /** `address`: 0x and 40 hex digits in any case. */
  read(address: string): Promise<OnchainContract>;
  /**
   * The same with its creation, which takes some chains a while: from the named transaction if that created the
   * contract, else from the one in the chain's history; without it if neither is known.
   */
  withCreation(contract: OnchainContract, transactionHash?: string): Promise<OnchainContract>;
  /** What its slots (32 bytes each) hold now, with or without leading zeros; null = nothing was stored. */
  slots(contract: OnchainContract, slots: readonly Buffer[]): Promise<(Buffer | null)[]>;
  /** What a contract answers now; null = the call failed. `address`: 0x and 40 hex digits. */
  call(address: string, data: Buffer): Promise<Buffer | null>;
};
