// Runs a world's transaction in @ethereumjs/evm, whose answer is right.
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type ExecResult, getActivePrecompiles } from '@ethereumjs/evm';
import { Account, Address } from '@ethereumjs/util';
import { type ForkName, forkNames, hasFork } from '../../packages/machine/rules/forks.ts';
import { judgedCoinbase } from './ethereum-rules.ts';
import type { Outcome } from './outcome.ts';
import type { World } from './programs.ts';

export const judgedBlock = { number: 1000n, timestamp: 1_700_000_000n, prevRandao: 0x1234n, chainId: 298n } as const;

/** Random programs find no commitment whose hash they know. */
const kzg = {
  verifyProof: (): boolean => {
    throw new Error('C_KZG_BADARGS');
  },
};
const customCrypto = { kzg: kzg as never };

const hardforks: Readonly<Record<ForkName, Hardfork>> = {
  london: Hardfork.London,
  paris: Hardfork.Paris,
  shanghai: Hardfork.Shanghai,
  cancun: Hardfork.Cancun,
  prague: Hardfork.Prague,
};

const commons = new Map(
  forkNames.map((name) => {
    const hardfork = hardforks[name];
    return [name, new Common({ chain: { ...Mainnet, chainId: Number(judgedBlock.chainId) }, hardfork, customCrypto })];
  }),
);

type Judged = Pick<World, 'sender' | 'to' | 'value' | 'data' | 'gas'>;
type Machine = Awaited<ReturnType<typeof createEVM>>;

export async function createJudge() {
  const open = await createJudges();
  return async (world: World, plainBalances: ReadonlyMap<bigint, bigint>, gasLimit: number): Promise<Outcome> =>
    (await open(world, plainBalances)).run(world, gasLimit);
}

/** Of one world each; transactions that run one after the other see what those before have left. */
export async function createJudges() {
  const machines = new Map(
    await Promise.all([...commons].map(async ([name, common]) => [name, await createEVM({ common })] as const)),
  );
  return async (world: World, plainBalances: ReadonlyMap<bigint, bigint>) => {
    const { fork } = world;
    const evm = machines.get(fork)!.shallowCopy();
    const state = evm.stateManager;
    for (const [address, balance] of plainBalances) await state.putAccount(at(address), new Account(0n, balance));
    for (const { address, code, balance, storage } of world.contracts) {
      await state.putAccount(at(address), new Account(1n, balance));
      await state.putCode(at(address), code);
      for (const [slot, value] of storage) await state.putStorage(at(address), bytes(slot, 32), trimmed(value));
    }
    return {
      run: (call: Judged, gasLimit: number) => judge(evm, fork, call, gasLimit),
      /** As a block does between two transactions. */
      async end({ destroyed }: Pick<Outcome, 'destroyed'>): Promise<void> {
        for (const address of destroyed) {
          // This state keeps them by themselves.
          await state.putCode(at(address), new Uint8Array());
          await state.clearStorage(at(address));
          await state.deleteAccount(at(address));
        }
        await evm.journal.cleanup();
        state.originalStorageCache.clear();
      },
    };
  };
}

async function judge(evm: Machine, fork: ForkName, call: Judged, gasLimit: number): Promise<Outcome> {
  const common = commons.get(fork)!;
  const state = evm.stateManager;
  const warm = [call.sender, ...(call.to === null ? [] : [call.to])];
  const hasWarmCoinbase = hasFork(fork, 'shanghai');
  evm.journal.cleanJournal();
  for (const address of hasWarmCoinbase ? [...warm, judgedCoinbase] : warm) {
    evm.journal.addAlwaysWarmAddress(hex(address, 20));
  }
  for (const address of getActivePrecompiles(common).keys()) evm.journal.addAlwaysWarmAddress(address);
  const result = await evm.runCall({
    caller: at(call.sender),
    origin: at(call.sender),
    to: call.to === null ? undefined : at(call.to),
    data: call.data,
    value: call.value,
    gasLimit: BigInt(call.gas),
    gasPrice: 7n,
    block: {
      header: {
        number: judgedBlock.number,
        coinbase: at(judgedCoinbase),
        timestamp: judgedBlock.timestamp,
        difficulty: judgedBlock.prevRandao,
        prevRandao: bytes(judgedBlock.prevRandao, 32),
        gasLimit: BigInt(gasLimit),
        baseFeePerGas: 0n,
        getBlobGasPrice: () => 1n,
      },
    },
  });
  const { execResult } = result;
  const error = execResult.exceptionError?.error;
  return {
    result: error === undefined ? 'success' : error === 'revert' ? 'revert' : 'halt',
    output: Buffer.from(execResult.returnValue).toString('hex'),
    gasUsed: Number(execResult.executionGasUsed),
    refund: error === undefined ? Number(execResult.gasRefund ?? 0n) : 0,
    logs: error === undefined ? (execResult.logs ?? []).map(logText) : [],
    read: async (address) => {
      const account = await state.getAccount(at(address));
      return {
        balance: account?.balance ?? 0n,
        nonce: account?.nonce ?? 0n,
        code: Buffer.from(await state.getCode(at(address))).toString('hex'),
      };
    },
    slots: slotsOf(state),
    destroyed: error === undefined ? destroyedBy(execResult, fork) : [],
  };
}

/** Since EIP-6780 what is listed is deleted only if the same transaction created it. */
function destroyedBy({ selfdestruct, createdAddresses }: ExecResult, fork: ForkName): bigint[] {
  const isLimited = hasFork(fork, 'cancun');
  const listed = [...(selfdestruct?.keys() ?? [])];
  return listed.filter((address) => !isLimited || createdAddresses?.has(address)).map((address) => BigInt(address));
}

function logText([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): string {
  return [address, ...topics, data].map((part) => Buffer.from(part).toString('hex')).join(' ');
}

/** Every slot that is not zero, `address slot` → value. */
function slotsOf(state: unknown): Map<string, bigint> {
  const { storageStack } = state as { storageStack: Map<string, Uint8Array>[] };
  const slots = new Map<string, bigint>();
  for (const [key, value] of storageStack.at(-1)!) {
    const word = BigInt(`0x${Buffer.from(value).toString('hex') || '0'}`);
    const [address, slot] = key.split('_');
    if (word > 0n) slots.set(`${BigInt(address!)} ${BigInt(slot!)}`, word);
  }
  return slots;
}

function at(address: bigint): Address {
  return new Address(bytes(address, 20));
}

function bytes(word: bigint, length: number): Uint8Array {
  return Uint8Array.from(Buffer.from(hex(word, length), 'hex'));
}

function hex(word: bigint, length: number): string {
  return word.toString(16).padStart(2 * length, '0');
}

function trimmed(word: bigint): Uint8Array {
  const text = word.toString(16);
  return Uint8Array.from(Buffer.from(text.length % 2 ? `0${text}` : text, 'hex'));
}
