// A transaction of the past in @ethereumjs/evm, on the state that the store has of the moment before it.
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM, getActivePrecompiles } from '@ethereumjs/evm';
import { Account, Address } from '@ethereumjs/util';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { readWord, writeWord } from '../../packages/machine/base/word.ts';
import { intrinsicGas } from '../../packages/machine/rules/intrinsic-gas.ts';
import { newestRules } from '../../packages/machine/rules/versions.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { selectStateBlock } from '../../packages/store/read/state/select-state-block.ts';
import { createBalanceSnapshots } from '../../src/calls/facts/balance-snapshots.ts';
import { createCodeCache } from '../../src/calls/facts/code-cache.ts';
import { createFactSource, type FactSource } from '../../src/calls/facts/fetch-facts.ts';
import { pastAt } from '../../src/calls/facts/moment.ts';
import { createSystemFiles } from '../../src/calls/facts/system-files.ts';
import { toRerun } from '../../src/calls/rerun/to-rerun.ts';
import { createGasPrices } from '../../src/ledger/contracts/gas-prices.ts';
import { type Equal, type RerunWorld, simulatedChainId } from './rerun-network.ts';

/** Nobody finds a commitment whose hash is known by chance. */
const kzg = {
  verifyProof: (): boolean => {
    throw new Error('C_KZG_BADARGS');
  },
};
const common = new Common({
  chain: { ...Mainnet, chainId: Number(simulatedChainId) },
  hardfork: Hardfork.Prague,
  customCrypto: { kzg: kzg as never },
});
const codes = createCodeCache(2 ** 24);

/** What differs from our run, in words; nothing if they agree. `notPlain`: why its rules are not Ethereum's. */
export type Judged = { kind: 'judged'; differs: string[] } | { kind: 'notPlain'; why: string };

/**
 * What the ledger has and Ethereum has not: its own contracts, accounts that a value makes, delegations that cost what
 * those do; and creations, for which the ledger does not have the nonce.
 */
const ofTheLedger: ReadonlySet<string> = new Set([
  ...['system contract', 'account made', 'value to nobody', 'delegation set', 'Ethereum type 4', 'CREATE inside'],
  ...['INVALID_CONTRACT_ID', 'INVALID_SIGNATURE'],
]);
/** look(address) and vanish(address) ask about accounts of the system, tokens and nobody. */
const aboutOthers: ReadonlySet<string> = new Set(['14bacd5e', 'f826c035']);

function reasonOf({ result, kinds }: Equal): string | null {
  const own = kinds.find((kind) => ofTheLedger.has(kind));
  if (own) return own;
  return aboutOthers.has(result.functionParameters.subarray(0, 4).toString('hex')) ? 'asks about others' : null;
}

export async function judgeRerun(equal: Equal, { db }: RerunWorld): Promise<Judged> {
  const { result, run } = equal;
  const why = reasonOf(equal);
  if (why !== null) return { kind: 'notPlain', why };
  const rerun = await toRerun(db, result);
  const block = await selectStateBlock(db, { around: result.consensusTimestamp });
  if (!rerun || !block) throw new Error(`Nothing to run at ${result.consensusTimestamp}`);
  const { input, before, overrides } = rerun;
  const { transaction } = input;
  const moment = pastAt(before, block);
  const files = createSystemFiles(usualRealm);
  const snapshots = createBalanceSnapshots(usualRealm);
  const facts = createFactSource({ db, moment, system: usualRealm, codes, files, snapshots });
  const evm = await createEVM({ common });
  const state = readFromStore(evm.stateManager as unknown as PlainState, facts);
  const sender = await state.find(input.from!);
  const to = input.to === null ? null : await state.find(input.to);
  if (input.to === null && transaction!.createAt !== null)
    return { kind: 'notPlain', why: 'an address that HAPI gives' };
  const { accessList = [] } = input;
  const size = {
    data: input.data,
    isCreation: to === null,
    addresses: accessList.length,
    slots: accessList.reduce((sum, { slots }) => sum + slots.length, 0),
  };
  const { gas: intrinsic, floor } = intrinsicGas(size, newestRules);
  // The nonce that the transaction used up.
  const nonce = overrides.find(({ address }) => address === input.from)?.nonce;
  const account = await evm.stateManager.getAccount(at(sender));
  if (nonce !== undefined && account) {
    account.nonce = nonce + 1n;
    await evm.stateManager.putAccount(at(sender), account);
  }
  evm.journal.cleanJournal();
  for (const address of [sender, ...(to === null ? [] : [to])]) evm.journal.addAlwaysWarmAddress(hex(address, 20));
  for (const address of getActivePrecompiles(common).keys()) evm.journal.addAlwaysWarmAddress(address);
  for (const { address, slots } of accessList) {
    evm.journal.addAlwaysWarmAddress(hex(address, 20));
    for (const slot of slots) evm.journal.addAlwaysWarmSlot(hex(address, 20), hex(slot, 32));
  }
  const gasPrice = (await createGasPrices({ db, system: usualRealm }).at(before))!;
  const { execResult } = await evm.runCall({
    ...{ caller: at(sender), origin: at(sender), to: to === null ? undefined : at(to) },
    ...{ data: input.data, value: input.value, gasPrice, gasLimit: BigInt(input.gas - intrinsic) },
    block: {
      header: {
        ...{ number: block.number, coinbase: at(98n), timestamp: block.consensusStart / 1_000_000_000n },
        ...{ difficulty: 1n, prevRandao: writeWord(1n), gasLimit: BigInt(input.gas), baseFeePerGas: 0n },
        getBlobGasPrice: () => 1n,
      },
    },
  });
  if (state.aliases.length > 0) return { kind: 'notPlain', why: 'an account by its second address' };
  const error = execResult.exceptionError?.error;
  const refund = error === undefined ? Number(execResult.gasRefund ?? 0n) : 0;
  const used = Math.max(Number(execResult.executionGasUsed) + intrinsic - refund, floor);
  const differs: string[] = [];
  const compare = (what: string, ours: unknown, judged: unknown) => {
    if (String(ours) !== String(judged)) differs.push(`${what}: ${ours}, and the judge has ${judged}`);
  };
  compare('success', run.status === 'SUCCESS', error === undefined);
  compare('gas', run.gasConsumed, used);
  compare('output', Buffer.from(run.output).toString('hex'), Buffer.from(execResult.returnValue).toString('hex'));
  const logs = error === undefined ? (execResult.logs ?? []) : [];
  compare('logs', run.logs.map(ourLog).join('\n'), logs.map(judgedLog).join('\n'));
  if (error === undefined) {
    const written = run.slots.filter(({ valueRead, valueWritten }) => valueRead !== valueWritten);
    for (const { num, slot, valueWritten } of written) {
      compare(`slot ${num} ${hex(slot, 32)}`, valueWritten, await state.readSlot(num, slot));
    }
    compare('slots written', written.length, await state.countChanged());
  }
  return { kind: 'judged', differs };
}

const ourLog = ({ address, topics, data }: Equal['run']['logs'][number]) =>
  [hex(address, 20), ...topics.map((topic) => hex(topic, 32)), Buffer.from(data).toString('hex')].join(' ');
const judgedLog = (parts: [Uint8Array, Uint8Array[], Uint8Array]) =>
  parts
    .flat()
    .map((part) => Buffer.from(part).toString('hex'))
    .join(' ');

/** What @ethereumjs/evm has as its state unless told otherwise. */
type PlainState = Pick<EVM['stateManager'], 'getAccount' | 'getCode' | 'getStorage'> & {
  /** From the ground up: what is undone takes the last away. */
  accountStack: Map<string, Account | undefined>[];
  codeStack: Map<string, Uint8Array>[];
  storageStack: Map<string, Uint8Array>[];
};

/** Lets the state read what it does not know from the store, once. */
function readFromStore(state: PlainState, facts: FactSource) {
  /** Addresses that name an account which has another one. */
  const aliases: bigint[] = [];
  const nums = new Map<bigint, bigint>();
  const before = new Map<string, bigint>();
  const plain = { account: state.getAccount, code: state.getCode, storage: state.getStorage };
  const factsOf = async (name: bigint) => {
    const { accounts } = await facts({ addresses: [name], slots: [], blocks: [], keys: [] });
    return accounts[0]!.facts;
  };

  async function load(address: Address): Promise<void> {
    const word = readWord(address.bytes, 0, 20);
    if (nums.has(word)) return;
    nums.set(word, 0n);
    const found = await factsOf(word);
    if (!found) return;
    if (found.address !== word) aliases.push(word);
    nums.set(word, found.num);
    const code = Uint8Array.from(found.code);
    for (const level of state.codeStack) level.set(address.toString(), code);
    for (const level of state.accountStack) {
      level.set(address.toString(), new Account(found.nonce, found.balance, undefined, keccak_256(code)));
    }
  }

  async function loadSlot(address: Address, slot: bigint): Promise<void> {
    const num = nums.get(readWord(address.bytes, 0, 20))!;
    const name = `${num} ${slot}`;
    if (num === 0n || before.has(name)) return;
    const { slots } = await facts({ addresses: [], slots: [{ num, slot }], blocks: [], keys: [] });
    const { value } = slots[0]!;
    before.set(name, value);
    if (value === 0n) return;
    const bytes = writeWord(value, Math.ceil(value.toString(16).length / 2));
    for (const level of state.storageStack) level.set(`${address.toString()}_0x${hex(slot, 32)}`, bytes);
  }

  async function readSlot(num: bigint, slot: bigint): Promise<bigint> {
    const [address] = [...nums].find(([, one]) => one === num) ?? [0n];
    const value = await plain.storage.call(state, at(address), writeWord(slot));
    return readWord(value, 0, value.length);
  }

  state.getAccount = async (address) => {
    await load(address);
    return plain.account.call(state, address);
  };
  state.getCode = async (address) => {
    await load(address);
    return plain.code.call(state, address);
  };
  state.getStorage = async (address, key) => {
    await load(address);
    await loadSlot(address, readWord(key, 0, 32));
    return plain.storage.call(state, address, key);
  };
  return {
    aliases,
    /** The address of the account of this number or address. */
    find: async (name: bigint) => (await factsOf(name))?.address ?? name,
    /** At the end. */
    readSlot,
    countChanged: async () => {
      let changed = 0;
      for (const [name, value] of before) {
        const [num, slot] = name.split(' ') as [string, string];
        if ((await readSlot(BigInt(num), BigInt(slot))) !== value) changed += 1;
      }
      return changed;
    },
  };
}

function at(address: bigint): Address {
  return new Address(writeWord(address, 20));
}

function hex(word: bigint, length: number): string {
  return word.toString(16).padStart(2 * length, '0');
}
