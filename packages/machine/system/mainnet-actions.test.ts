// What the system contracts of mainnet were asked and answered in one block of 2025-07-23: the same input has the same
// output, gas and events here. Balances are those that mainnet answered.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { gunzip } from '../../protocol/gunzip.ts';
import { decodeEthereumTransaction } from '../../protocol/hapi/ethereum-transaction.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { decodeTransactionBody } from '../../protocol/hapi/transaction-body.ts';
import { readRecordFileV6 } from '../../streams/record-stream/record-file-v6.ts';
import { readSidecarFile } from '../../streams/record-stream/sidecar-file.ts';
import { tokenFacts } from '../../test-support/evm/token-world.ts';
import { readWord } from '../base/word.ts';
import type { SystemCall } from '../frame/system-contract.ts';
import { intrinsicGas } from '../rules/intrinsic-gas.ts';
import { rulesAtMainnetBlock } from '../rules/versions.ts';
import { runTransaction } from '../run/run-transaction.ts';
import { nothing } from '../state/memory-state.ts';
import type { AccountFacts, StateReader } from '../state/state-reader.ts';
import { createWorld } from '../state/world.ts';
import { systemContracts } from './system-contracts.ts';

const path = fileURLToPath(
  new URL(
    '../../../../shared/data/streams/mainnet-2025-07-23/recordstreams/record0.0.35/sidecar/2025-07-23T20_37_42.076472454Z_01.rcd.gz',
    import.meta.url,
  ),
);

const recordPath = fileURLToPath(
  new URL(
    '../../../../shared/data/streams/mainnet-2025-07-23/recordstreams/record0.0.35/2025-07-23T20_37_42.076472454Z.rcd.gz',
    import.meta.url,
  ),
);

type Action = { action: proto.IContractAction; parent: proto.IContractAction | undefined };

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const contractOf = (id: proto.IContractID | null | undefined) => toBigInt(id?.contractNum);

/** Of each transaction all actions, with the action that called it. */
function readTransactions(): { at: bigint; list: Action[] }[] {
  const { records } = readSidecarFile(gunzip(readFileSync(path), 'sidecar file'));
  return records.flatMap(({ actions, consensusTimestamp }) => {
    const list = actions?.contractActions ?? [];
    if (list.length === 0) return [];
    const withParents = list.map((action, at) => ({
      action,
      parent: list.slice(0, at).findLast(({ callDepth }) => callDepth === action.callDepth! - 1),
    }));
    return [{ at: toNanoseconds(consensusTimestamp), list: withParents }];
  });
}

const toNanoseconds = (time: proto.ITimestamp | null | undefined) =>
  toBigInt(time?.seconds) * 1_000_000_000n + BigInt(time?.nanos ?? 0);
/** The ledger's version of that block. */
const rules = rulesAtMainnetBlock(82_297_471n);

const firstNumber = 9_000_000_000n;

/** Everybody whose address is asked for is there; `known` says whose number it is. */
function stateOf(known: Map<bigint, bigint>, balance: bigint): StateReader {
  const account = (address: bigint): AccountFacts => {
    const num = address < 1n << 64n ? address : (known.get(address) ?? firstNumber + (address % 1_000_000n));
    const own = [...known].find(([, one]) => one === num)?.[0] ?? address;
    const kind = num === 1456986n || num === 456858n || num === 1460200n ? 'token' : 'contract';
    return { num, address: own, kind, balance: 0n, nonce: 1n, code: new Uint8Array(0) };
  };
  return {
    account,
    slot: () => 0n,
    blockHash: () => null,
    fact: (key) => {
      if (key.kind === 'token') return tokenFacts({}) as never;
      if (key.kind === 'relation') {
        return { balance, freezeStatus: 0, kycStatus: 0, isAutomatic: false } as never;
      }
      return nothing[key.kind] as never;
    },
  };
}

function callOf({ action, parent }: Action): SystemCall {
  const isDelegate = action.callOperationType === 3;
  const calling = contractOf(action.callingContract);
  return {
    address: 0x167n,
    recipient: isDelegate ? calling : 0x167n,
    caller: isDelegate ? contractOf(parent!.callingContract) : calling,
    origin: 1000n,
    data: action.input!,
    value: 0n,
    gas: Number(toBigInt(action.gas)),
    isStatic: false,
    isBorrowed: false,
    isDelegate,
    isFacade: false,
    depth: action.callDepth!,
  };
}

const selector = (action: proto.IContractAction) => {
  const input = hex(action.input!);
  return input.startsWith('618dc65e') ? input.slice(48, 56) : input.slice(0, 8);
};

describe.skipIf(!existsSync(path))('the block of 2025-07-23 (skipped without ../shared/data)', () => {
  const transactions = existsSync(path) ? readTransactions() : [];
  const everything = transactions.flatMap(({ list }) => list);
  const actions = everything.filter(({ action }) => contractOf(action.recipientContract) === 0x167n);
  const transferToken = 'eca36917';

  it('asked for balances and transfers', () => {
    const counts = new Map<string, number>();
    for (const { action } of actions) counts.set(selector(action), (counts.get(selector(action)) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ [transferToken]: 10, '70a08231': 21, a9059cbb: 1 });
  });

  it('is answered as mainnet did: output, gas, events', () => {
    // Contracts give what they own themselves.
    const known = new Map<bigint, bigint>();
    for (const { action } of actions) {
      if (selector(action) === transferToken)
        known.set(readWord(action.input!, 36, 32), contractOf(action.callingContract));
    }
    expect([...known.values()].sort()).toEqual([3_964_804n, 9_306_447n]);
    for (const one of actions) {
      const { action } = one;
      const isView = selector(action) === '70a08231';
      const logs: unknown[] = [];
      const world = createWorld(stateOf(known, isView ? readWord(action.output!, 0, 32) : 1n << 60n), {
        ...{ maxReads: 100, maxMissing: 100, nextNum: 10_000_000_000n },
        facadeOf: () => null,
        isAlwaysWarm: () => false,
      });
      const outcome = systemContracts.get(0x167n)!.run(callOf(one), {
        world,
        block: { number: 82_297_471n, timestamp: 1_753_303_062n, prevRandao: 1n, chainId: 295n },
        addLog: (log) => {
          logs.push(log);
        },
        lookAtTime: () => undefined,
        addFailure: (status) => {
          throw new Error(status);
        },
      });
      expect(outcome.kind).toBe('success');
      if (outcome.kind !== 'success') continue;
      expect(hex(outcome.output)).toBe(hex(action.output!));
      expect(BigInt(outcome.gas)).toBe(toBigInt(action.gasUsed));
      expect(outcome.gas).toBe(isView ? 2607 : 15_284);
      expect(logs.length).toBe(selector(action) === 'a9059cbb' ? 1 : 0);
    }
  });

  it('has redirects that cost what the code of a token costs here, with the system contract cold and warm', () => {
    const redirects = actions.filter(({ action }) => action.callOperationType === 3);
    expect(redirects.length).toBe(22);
    const overheads = new Set<number>();
    for (const { action, parent } of redirects) {
      const view = readWord(action.output!, 0, 32);
      const overhead = Number(toBigInt(parent!.gasUsed)) - Number(toBigInt(action.gasUsed));
      overheads.add(overhead);
      const isWarm = overhead < 2600;
      const token = contractOf(parent!.recipientContract);
      // The token hands on its own address and what it was called with (§5.2).
      expect(hex(action.input!)).toBe(`618dc65e${token.toString(16).padStart(40, '0')}${hex(parent!.input!)}`);
      expect(hex(parent!.output!)).toBe(hex(action.output!));
      const isView = selector(action) === '70a08231';
      const sender = contractOf(parent!.callingContract);
      const accessList = isWarm ? [{ address: 0x167n, slots: [] }] : [];
      const { gas: intrinsic } = intrinsicGas(
        { data: parent!.input!, isCreation: false, addresses: accessList.length },
        rules,
      );
      const done = runTransaction(
        {
          ...{ sender, to: token, value: 0n, data: parent!.input!, gasPrice: 1n, accessList },
          gasLimit: Number(toBigInt(parent!.gas)) + intrinsic,
        },
        {
          ...{ rules, systemContracts, nextNum: firstNumber, withActions: true },
          block: { number: 82_297_471n, timestamp: 1_753_303_062n, prevRandao: 1n, chainId: 295n },
          state: {
            ...stateOf(new Map([[sender, sender]]), isView ? view : 1n << 60n),
            account: redirected(sender, token),
          },
        },
      );
      if (done.kind !== 'finished') throw new Error(done.kind);
      const shown = done.actions.map(({ gas, gasUsed, data }) => [gas, gasUsed, hex(data)]);
      const told = [parent!, action].map((one) => [
        Number(toBigInt(one.gas)),
        Number(toBigInt(one.gasUsed)),
        hex(one.output!),
      ]);
      expect(shown).toEqual(told);
    }
    // A view warm and cold, and a transfer, whose call data are longer.
    expect([...overheads].sort((one, other) => one - other)).toEqual([249, 255, 2749]);
  });

  it('began each transaction with what its data left of the limit', () => {
    const { items } = readRecordFileV6(gunzip(readFileSync(recordPath), 'record file'));
    const limits = new Map(items.flatMap(({ transaction, record }) => limitsOf(transaction, record)));
    expect(transactions.length).toBeGreaterThan(5);
    for (const { at, list } of transactions) {
      const { limit, data } = limits.get(at)!;
      const { gas } = intrinsicGas({ data, isCreation: false }, rules);
      expect(toBigInt(list[0]!.action.gas)).toBe(limit - BigInt(gas));
    }
  });

  it('has calls that fit into those that made them: 214 of them', () => {
    expect(everything.length).toBe(214);
    for (const { list } of transactions) {
      for (const { action, parent } of list) {
        const [gas, used] = [toBigInt(action.gas), toBigInt(action.gasUsed)];
        expect(used <= gas).toBe(true);
        if (!parent) continue;
        // A caller keeps a 64th; a value brings 2,300.
        const available = toBigInt(parent.gas);
        expect(gas <= available - available / 64n + (toBigInt(action.value) > 0n ? 2300n : 0n)).toBe(true);
        const children = list.filter((one) => one.parent === parent);
        const ofChildren = children.reduce((sum, one) => sum + toBigInt(one.action.gasUsed), 0n);
        // Each is paid for the access as well, by a delegation of the list of the parent.
        expect(ofChildren + 100n * BigInt(children.length) <= toBigInt(parent.gasUsed)).toBe(true);
      }
    }
  });
});

/** The sender, and the token with its code; nobody else is asked for but accounts in call data. */
function redirected(sender: bigint, token: bigint): StateReader['account'] {
  return (address) => {
    const kind = address === token ? 'token' : address === sender ? 'account' : 'contract';
    const num = address < 1n << 64n ? address : firstNumber + (address % 1_000_000n);
    return { num, address, kind, balance: 0n, nonce: 1n, code: new Uint8Array(0) };
  };
}

function limitsOf(transaction: Buffer, record: Buffer): [bigint, { limit: bigint; data: Uint8Array }][] {
  const at = toNanoseconds(proto.TransactionRecord.decode(record).consensusTimestamp);
  const { signedTransactionBytes } = proto.Transaction.decode(transaction);
  const { body } = decodeTransactionBody(
    Buffer.from(proto.SignedTransaction.decode(signedTransactionBytes!).bodyBytes!),
  );
  const { contractCall, ethereumTransaction } = body;
  if (contractCall) return [[at, { limit: toBigInt(contractCall.gas), data: contractCall.functionParameters! }]];
  if (!ethereumTransaction) return [];
  const { gasLimit, callData } = decodeEthereumTransaction(ethereumTransaction.ethereumData!);
  return [[at, { limit: gasLimit, data: callData }]];
}
