// Runs one contract call or creation in a real EVM (Cancun) on the ledger's state and returns what records and sidecars
// need: result, gas, logs, actions, storage changes, created contracts.
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVMResult, type Message } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import type { Account, Ledger } from '../ledger/ledger.ts';
import { type ContractAction, createActionLog } from './contract-actions.ts';
import { weibarPerTinybar } from './evm-accounts.ts';
import { createEvmState } from './evm-state.ts';
import type { SlotAccess } from './evm-storage.ts';

export const chainId = 298;

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
  authorizationCount?: number;
  consensusTimestamp: bigint;
  blockNumber: bigint;
};

type EvmLog = { address: Uint8Array; contract: bigint; topics: Uint8Array[]; data: Uint8Array };

export type EvmOutput = {
  failure: 'CONTRACT_REVERT_EXECUTED' | 'INSUFFICIENT_GAS' | 'CONTRACT_EXECUTION_EXCEPTION' | null;
  errorMessage: string;
  output: Uint8Array;
  gasUsed: bigint;
  logs: EvmLog[];
  actions: ContractAction[];
  /** Of contracts created by contracts, by address in hex. */
  initcodes: ReadonlyMap<string, Uint8Array>;
  slots: SlotAccess[];
  /** New contracts, in order of id. */
  created: Account[];
  contractNonces: { contract: bigint; nonce: bigint }[];
  /** Accounts that received value at an unused address. */
  hollow: Account[];
};

export type RunEvm = (input: EvmInput) => Promise<EvmOutput>;

export async function createRunEvm(ledger: Ledger): Promise<RunEvm> {
  const state = createEvmState(ledger);
  const common = new Common({ chain: { ...Mainnet, chainId }, hardfork: Hardfork.Cancun });
  const evm = await createEVM({ common, stateManager: state });
  const actions = createActionLog(state.idOf);
  evm.events?.on('beforeMessage', (message: Message) => actions.enter(message));
  evm.events?.on('afterMessage', (result: EVMResult) => actions.leave(result));

  return async (input) => {
    const { sender, to, createAt, data, gasLimit, accessList = [] } = input;
    const intrinsic = intrinsicGas(input);
    state.begin(input.consensusTimestamp);
    actions.begin(gasLimit - intrinsic);
    evm.journal.cleanJournal();
    evm.transientStorage.clear();
    const caller = new Address(evmAddressOf(ledger.tables.accounts.get(sender)!));
    const target = createAt ?? to;
    for (const warm of [caller.bytes, ...(target ? [target] : []), ...accessList.map(({ address }) => address)]) {
      evm.journal.addAlwaysWarmAddress(Buffer.from(warm).toString('hex'));
    }
    for (const { address, slots } of accessList) {
      for (const slot of slots) {
        evm.journal.addAlwaysWarmSlot(Buffer.from(address).toString('hex'), Buffer.from(slot).toString('hex'));
      }
    }

    const firstNew = ledger.tables.counters.get('nextEntity')!;
    // A contract that HAPI creates has its id already; what it creates gets later ids.
    const result = await evm.runCall({
      caller,
      origin: caller,
      to: target ? new Address(target) : undefined,
      code: createAt ? data : undefined,
      data: createAt ? new Uint8Array() : data,
      value: input.value * weibarPerTinybar,
      gasLimit: gasLimit - intrinsic,
      gasPrice: input.gasPrice * weibarPerTinybar,
      skipNonceIncrement: !input.countNonce,
      block: blockOf(input),
    });
    const { execResult } = result;
    let gasUsed = intrinsic + execResult.executionGasUsed;
    let error = execResult.exceptionError?.error as string | undefined;
    if (createAt && !error) {
      // Code deposit (code here is far below the limits of EIP-3860).
      const deposit = 200n * BigInt(execResult.returnValue.length);
      if (gasUsed + deposit > gasLimit) {
        error = 'out of gas';
        actions.failOutermost(error);
      } else {
        gasUsed += deposit;
        await state.putCode(new Address(createAt), execResult.returnValue);
      }
    }
    const refund = execResult.gasRefund ?? 0n;
    if (!error) gasUsed -= refund < gasUsed / 5n ? refund : gasUsed / 5n;

    const fresh: Account[] = [];
    for (let id = firstNew; id < ledger.tables.counters.get('nextEntity')!; id++) {
      const account = ledger.tables.accounts.get(id);
      if (account) fresh.push(account);
    }
    return {
      failure: error ? failureOf(error) : null,
      errorMessage: error ? errorText(error, execResult.returnValue) : '',
      output: execResult.returnValue,
      gasUsed,
      logs: error
        ? []
        : (execResult.logs ?? []).map(([address, topics, body]) => ({
            address,
            contract: state.idOf(address),
            topics,
            data: body,
          })),
      actions: actions.all(),
      initcodes: actions.initcodes(),
      slots: state.slotAccesses(),
      contractNonces: state.changedNonces(),
      created: fresh.filter(({ isContract }) => isContract),
      hollow: fresh.filter(({ isContract }) => !isContract),
    };
  };
}

/** The address of an account in the EVM: its EVM address, else long-zero. */
export function evmAddressOf(account: Account): Uint8Array {
  return account.evmAddress ?? longZero(account.id);
}

export function longZero(id: bigint): Buffer {
  const address = Buffer.alloc(20);
  address.writeBigUInt64BE(id, 12);
  return address;
}

/** EIP-2028, EIP-2930, EIP-3860 and EIP-7702. */
export function intrinsicGas({
  data,
  to,
  createAt,
  accessList = [],
  authorizationCount = 0,
}: Pick<EvmInput, 'data' | 'to' | 'createAt' | 'accessList' | 'authorizationCount'>): bigint {
  let gas = 21_000n;
  for (const byte of data) gas += byte === 0 ? 4n : 16n;
  if (to === null || createAt) gas += 32_000n + 2n * BigInt(Math.ceil(data.length / 32));
  for (const { slots } of accessList) gas += 2400n + 1900n * BigInt(slots.length);
  return gas + 25_000n * BigInt(authorizationCount);
}

function blockOf({ blockNumber, consensusTimestamp }: EvmInput) {
  return {
    header: {
      number: blockNumber,
      coinbase: new Address(longZero(98n)),
      timestamp: consensusTimestamp / 1_000_000_000n,
      difficulty: 0n,
      prevRandao: new Uint8Array(32),
      gasLimit: 15_000_000n,
      baseFeePerGas: 0n,
      getBlobGasPrice: () => 1n,
    },
  };
}

function failureOf(error: string): NonNullable<EvmOutput['failure']> {
  if (error === 'revert') return 'CONTRACT_REVERT_EXECUTED';
  return error === 'out of gas' ? 'INSUFFICIENT_GAS' : 'CONTRACT_EXECUTION_EXCEPTION';
}

/** A revert's data in hex; otherwise the name of the status, as consensus nodes write it. */
function errorText(error: string, output: Uint8Array): string {
  if (error === 'revert') return `0x${Buffer.from(output).toString('hex')}`;
  return error === 'out of gas' ? 'INSUFFICIENT_GAS' : 'INVALID_OPERATION';
}
