// A contract as of now or as of T.
import type { Range } from '../../kit/range.ts';

export type ListedContract = {
  adminKey: Buffer | null;
  autoRenewAccountId: bigint | null;
  autoRenewPeriod: bigint | null;
  id: bigint;
  createdTimestamp: bigint | null;
  deleted: boolean | null;
  evmAddress: Buffer | null;
  expirationTimestamp: bigint | null;
  fileId: bigint | null;
  maxAutomaticTokenAssociations: number | null;
  memo: string;
  nonce: bigint | null;
  obtainerId: bigint | null;
  permanentRemoval: boolean | null;
  proxyAccountId: bigint | null;
  /** Validity of this version, ns; `to` is exclusive, null while current. */
  timestamp: { from: bigint; to: bigint | null };
};

export type Contract = ListedContract & {
  /** Creation code: hex text of the bytecode file (may already begin with 0x), or the bytes of the initcode. */
  bytecode: { fileText: string } | { initcode: Buffer | null };
  runtimeBytecode: Buffer | null;
};

export type ContractReference = { kind: 'id'; id: bigint } | { kind: 'evmAddress'; address: Buffer };

export type ContractQuery = {
  reference: ContractReference;
  /** On the version's validity; without any condition the current version is meant. */
  timestamp: Range;
  /** Whether `ne` leaves out one moment, and not every version that was valid then. */
  leavesOutMoments?: boolean;
};

export type ContractsQuery = {
  /** Any of `equals`, among them contracts at `addresses`; all of the others. */
  id: Range & { addresses: readonly Buffer[] };
  order: 'asc' | 'desc';
  limit: number;
};
