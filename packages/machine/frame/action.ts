// The tree of calls, flattened in the order in which they began, as the ledger's action records have it.
export type ActionType = 'CALL' | 'CREATE' | 'PRECOMPILE' | 'SYSTEM';
export type ActionOperation = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2';

export type Action = {
  type: ActionType;
  operation: ActionOperation;
  depth: number;
  /** The address whose code made the call: the sender of the transaction, or a contract. */
  caller: bigint;
  /** Whose code ran, or the address that was called in vain. null: a creation that got no address. */
  target: bigint | null;
  /** Number of the target's entity; 0n: there is none. */
  targetNum: bigint;
  isContract: boolean;
  gas: number;
  gasUsed: number;
  value: bigint;
  /** Call data; empty for a creation. */
  input: Uint8Array;
  /** Of a creation. */
  initCode: Uint8Array | null;
  result: 'output' | 'revert' | 'error';
  /** Output, revert data, or the name of the halt in ASCII. */
  data: Uint8Array;
};
