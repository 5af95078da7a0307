// What an explorer knows of an address, in one form for all explorers.
import type { SourceClaim } from '../terms/source-claim.ts';

export type ExplorerRecord = {
  claim: SourceClaim;
  /** For chains that cannot find a contract's creation by themselves. */
  creationTransactionHash?: string;
};

/** null = the explorer answered, and has no verified source for the address. */
export type ExplorerAnswer = ExplorerRecord | null;

export type Lookup = {
  chainId: string;
  /** 0x and 40 small hex digits. */
  address: string;
  /** Never in a message, log or store. */
  key: string | undefined;
};
