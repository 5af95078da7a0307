// Runs one contract call or creation in the machine (packages/machine) on the ledger's state and returns what records
// and sidecars need: result, gas, logs, actions, storage changes, created contracts.
import { readWord, writeWord } from '../../machine/base/word.ts';
import { intrinsicGas as gasOfTransaction } from '../../machine/rules/intrinsic-gas.ts';
import { newestRules } from '../../machine/rules/versions.ts';
import type { Authorization } from '../../machine/run/authorize.ts';
import { runTransaction } from '../../machine/run/run-transaction.ts';
import type { Finished, RunStatus } from '../../machine/run/transaction.ts';
import { systemContracts } from '../../machine/system/system-contracts.ts';
import type { Account, Ledger } from '../ledger/ledger.ts';
import { type ContractAction, toContractActions } from './contract-actions.ts';
import { type AppliedChanges, createEvmState, type EvmState } from './evm-state.ts';

export const chainId = 298;
/** Ethereum transactions count in weibar, everything else in tinybar. */
export const weibarPerTinybar = 10_000_000_000n;

export type EvmInput = {
  sender: bigint;
  /** null = create at the address that follows from sender and nonce. */
  to: Uint8Array | null;
  /** Create at this address instead (contracts created through HAPI have their long-zero address). */
  createAt?: Uint8Array;
  /** tinybar */
  value: bigint;
  /** Call data, or initcode with constructor parameters. */
  data: Uint8Array;
  gasLimit: bigint;
  /** tinybar */
  gasPrice: bigint;
  /** Ethereum transactions use up a nonce, HAPI transactions do not. */
  countNonce: boolean;
  accessList?: { address: Uint8Array; slots: Uint8Array[] }[];
  /** Of EIP-7702; invalid ones cost gas, too. */
  authorizations?: readonly Authorization[];
  consensusTimestamp: bigint;
  blockNumber: bigint;
  /** ns, start of the block. */
  blockTime: bigint;
  /** 32 bytes: the running hash before the block. */
  prevRandao: Uint8Array;
};

type EvmLog = { address: Uint8Array; contract: bigint; topics: Uint8Array[]; data: Uint8Array };

export type EvmOutput = Pick<AppliedChanges, 'created' | 'hollow' | 'delegations' | 'slots' | 'contractNonces'> & {
  failure: Exclude<RunStatus, 'SUCCESS'> | null;
  errorMessage: string;
  output: Uint8Array;
  /** What is charged: networks keep a part of the unused gas. */
  gasUsed: bigint;
  logs: EvmLog[];
  actions: ContractAction[];
  /** Of contracts created by contracts, by address in hex. */
  initcodes: ReadonlyMap<string, Uint8Array>;
};

export type RunEvm = (input: EvmInput) => EvmOutput;

/** @param maxGasBack per cent of the gas limit that come back unused at most */
export function createRunEvm(ledger: Ledger, maxGasBack: number): RunEvm {
  const state = createEvmState(ledger);

  return (input) => {
    const result = runTransaction(toTransaction(input, ledger), {
      rules: newestRules,
      state: state.reader,
      block: {
        number: input.blockNumber,
        timestamp: input.blockTime / 1_000_000_000n,
        prevRandao: readWord(input.prevRandao, 0, 32),
        chainId: BigInt(chainId),
      },
      nextNum: ledger.tables.counters.get('nextEntity')!,
      maxGasBack,
      systemContracts,
      withActions: true,
    });
    // Everything is in memory, and gas limits are small.
    if (result.kind !== 'finished') throw new Error(`The machine did not finish: ${result.kind}`);
    const { status, output, gasUsed, actions } = result;
    const applied = state.apply(result, input.consensusTimestamp);
    return {
      ...applied,
      failure: status === 'SUCCESS' ? null : status,
      errorMessage: errorText(result),
      output,
      gasUsed: BigInt(gasUsed),
      logs: result.logs.map((log) => toEvmLog(log, state)),
      actions: toContractActions(actions, input.sender),
      initcodes: initcodesOf(actions),
    };
  };
}

function toTransaction(input: EvmInput, ledger: Ledger): Parameters<typeof runTransaction>[0] {
  const { sender, to, createAt, gasLimit, accessList = [], value, data, gasPrice, countNonce } = input;
  return {
    sender: wordOf(evmAddressOf(ledger.tables.accounts.get(sender)!)),
    to: to && !createAt ? wordOf(to) : null,
    createAt: createAt && wordOf(createAt),
    value,
    data,
    gasLimit: Number(gasLimit),
    gasPrice,
    countsNonce: countNonce,
    accessList: accessList.map(({ address, slots }) => ({ address: wordOf(address), slots: slots.map(wordOf) })),
    authorizations: input.authorizations,
  };
}

function toEvmLog({ address, topics, data }: Finished['logs'][number], state: EvmState): EvmLog {
  return {
    address: writeWord(address, 20),
    contract: state.idOf(address),
    topics: topics.map((topic) => writeWord(topic)),
    data,
  };
}

function initcodesOf(actions: Finished['actions']): Map<string, Uint8Array> {
  const inner = actions.filter(({ depth, initCode, result }) => depth > 0 && initCode !== null && result === 'output');
  return new Map(inner.map(({ target, initCode }) => [Buffer.from(writeWord(target!, 20)).toString('hex'), initCode!]));
}

const wordOf = (bytes: Uint8Array) => readWord(bytes, 0, bytes.length);

/** The address of an account in the EVM: its EVM address, else long-zero. */
export function evmAddressOf(account: Account): Uint8Array {
  return account.evmAddress ?? longZero(account.id);
}

export function longZero(id: bigint): Buffer {
  const address = Buffer.alloc(20);
  address.writeBigUInt64BE(id, 12);
  return address;
}

/** The least gas limit of such a transaction. */
export function intrinsicGas({
  data,
  to,
  createAt,
  accessList = [],
  authorizations = [],
}: Pick<EvmInput, 'data' | 'to' | 'createAt' | 'accessList' | 'authorizations'>): bigint {
  const { gas, floor } = gasOfTransaction(
    {
      data,
      isCreation: to === null || createAt !== undefined,
      addresses: accessList.length,
      slots: accessList.reduce((sum, { slots }) => sum + slots.length, 0),
      authorizations: authorizations.length,
    },
    newestRules,
  );
  return BigInt(Math.max(gas, floor));
}

/** A revert's data in hex; otherwise why it halted, as consensus nodes write it. */
function errorText({ status, output, halt }: Finished): string {
  if (status === 'SUCCESS') return '';
  return halt ?? `0x${Buffer.from(output).toString('hex')}`;
}
