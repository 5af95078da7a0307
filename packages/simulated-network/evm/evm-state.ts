// The ledger as the state of the EVM. Checkpoints are marks in the ledger's undo log, so nothing remains of what a
// frame reverts.
import type { StateManagerInterface } from '@ethereumjs/common';
import type { Ledger } from '../ledger/ledger.ts';
import { createEvmAccounts, type EvmAccounts } from './evm-accounts.ts';
import { createEvmStorage, type EvmStorage } from './evm-storage.ts';

export type EvmState = StateManagerInterface & EvmAccounts & Pick<EvmStorage, 'slotAccesses'>;

export function createEvmState(ledger: Ledger): EvmState {
  const accounts = createEvmAccounts(ledger);
  const storage = createEvmStorage(ledger, accounts.idOf);
  const marks: number[] = [];
  return {
    ...accounts,
    ...storage,
    begin: (consensusTimestamp) => {
      accounts.begin(consensusTimestamp);
      storage.begin();
      marks.length = 0;
    },
    // Only the clean-up of EIP-161 would call it, which the ledger does not do: entities stay.
    deleteAccount: async (address) => {
      throw new Error(`The ledger does not delete accounts from within the EVM (${address})`);
    },
    checkpoint: async () => {
      marks.push(ledger.mark());
    },
    commit: async () => {
      marks.pop();
    },
    revert: async () => {
      ledger.rollback(marks.pop()!);
    },
    clearCaches: storage.begin,
    getStateRoot: refuseStateRoot,
    setStateRoot: refuseStateRoot,
    hasStateRoot: refuseStateRoot,
    shallowCopy: () => {
      throw new Error('The ledger has one state');
    },
  };
}

function refuseStateRoot(): never {
  throw new Error('The ledger keeps no state roots');
}
