// The EVM as a consensus node of Hedera or Hiero runs it: one transaction on a state that the caller gives. Pure: no
// files, no network, no clock. Addresses and words are bigint.

export type { Action } from './frame/action.ts';
export type { BlockFacts } from './frame/block-facts.ts';
export type { Log } from './frame/log.ts';
export type { Tracer } from './frame/machine.ts';
export { opcodeName } from './opcodes/table.ts';
export type { Rules } from './rules/rules.ts';
export { newestRules, rulesAtMainnetBlock, rulesOf, versionNames } from './rules/versions.ts';
export { runTransaction } from './run/run-transaction.ts';
export type { AccountChange, Finished, RunOptions, RunResult, RunStatus, Transaction } from './run/transaction.ts';
export { createMemoryState, type KnownAccount, type KnownFact } from './state/memory-state.ts';
export type { AccountFacts, MissingFact, StateReader } from './state/state-reader.ts';
export { systemContracts } from './system/system-contracts.ts';
