// A session: files that a client collects before a check, and the contracts that they are about.
import type { AssembledSources } from '../metadata/assemble-sources.ts';
import type { SolidityMetadata } from '../metadata/solidity-metadata.ts';
import type { InputFile } from '../metadata/sort-files.ts';

export type Session = {
  readonly id: string;
  readonly client: string;
  /** By the hash of their content. */
  files: Map<string, InputFile>;
  /** By verification id. */
  contracts: Map<string, SessionContract>;
  unused: string[];
};

export type SessionContract = {
  metadata: SolidityMetadata;
  sources: AssembledSources;
  /** As the caller named them. */
  address?: string | undefined;
  chainId?: string | undefined;
  creationTransactionHash?: string | undefined;
  status: 'perfect' | 'partial' | 'error';
  statusMessage?: string | undefined;
  /** When a match was stored, if that was before. */
  storedAt?: Date | undefined;
};
