// What the system contracts of mainnet were asked and answered in one block of 2025-07-23: the same input has the same output, gas
// and events here. Balances are those that mainnet answered.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { nothing } from '../../../packages/test-support/evm/memory-state.ts';
import { tokenFacts } from '../../../packages/test-support/evm/token-world.ts';
import { gunzip } from '../../protocol/gunzip.ts';
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { readSidecarFile } from '../../protocol/record-stream/sidecar-file.ts';
import { readWord } from '../base/word.ts';
import type { SystemCall } from '../frame/system-contract.ts';
import type { AccountFacts, StateReader } from '../state/state-reader.ts';
import { createWorld } from '../state/world.ts';
import { systemContracts } from './system-contracts.ts';

const path = fileURLToPath(
  new URL(
    '../../../../shared/data/streams/mainnet-2025-07-23/recordstreams/record0.0.35/sidecar/2025-07-23T20_37_42.076472454Z_01.rcd.gz',
    import.meta.url,
  ),
);

type Action = { action: proto.IContractAction; parent: proto.IContractAction | undefined };

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const contractOf = (id: proto.IContractID | null | undefined) => toBigInt(id?.contractNum);

/** Actions of 0x167, with the action that called it. */
function readActions(): Action[] {
  const { records } = readSidecarFile(gunzip(readFileSync(path), 'sidecar file'));
  return records.flatMap(({ actions }) => {
    const list = actions?.contractActions ?? [];
    return list.flatMap((action, at) => {
      if (contractOf(action.recipientContract) !== 0x167n) return [];
      const parent = list.slice(0, at).findLast(({ callDepth }) => callDepth === action.callDepth! - 1);
      return [{ action, parent }];
    });
  });
}

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
  const actions = existsSync(path) ? readActions() : [];
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
});
