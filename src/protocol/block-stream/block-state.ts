// State derived backwards from state changes: a block gives the state after each unit, so a walk from its end that undoes
// every transaction's own change gives the state after each transaction.
import { decodeMessage } from '../hapi/decode-message.ts';
import { toEntityId } from '../hapi/entity-id.ts';
import { proto, toBigInt } from '../hapi/hapi.ts';
import { isBadData } from '../ledger-value-error.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { findSlot, type SlotName, slotWord } from './written-slots.ts';

/** Entities whose id is only in their state. */
type CreatedKind = 'fileId' | 'topicId' | 'tokenId' | 'scheduleId' | 'node' | 'registeredNode';

type PendingAirdrop = {
  id: proto.IPendingAirdropId;
  /** Serialized `id`. */
  idBytes: Uint8Array;
  /** Pending amount, 0 for an NFT; null if unknown. */
  amount: bigint | null;
};

export type BlockState = {
  /** Adds the state changes of the preceding unit. Returns how many of them could not be read. */
  goBack(changes: readonly BlockMessages['StateChanges'][]): number;
  /** The newest entity of that kind that was not taken yet, serialized as in its key; null without one. */
  takeCreated(kind: CreatedKind): Buffer | null;
  account(id: bigint): proto.IAccount | null;
  token(id: bigint): { totalSupply: bigint; lastSerial: bigint } | null;
  topic(id: bigint): { sequenceNumber: bigint; runningHash: Uint8Array } | null;
  /** Runtime bytecode of a contract. */
  bytecode(contractId: bigint): Uint8Array | null;
  /** Without leading zeros, empty if it was cleared; null if unknown. */
  slot(name: SlotName): Uint8Array | null;
  setSlot(name: SlotName, value: Uint8Array): void;
  /** Airdrops of the unit that are pending at this point of the walk. */
  airdrops(): readonly PendingAirdrop[];
  /** The pending amount before; null: none. */
  setAirdrop(airdrop: PendingAirdrop, amount: bigint | null): void;
  /** An airdrop that is no longer pending afterwards. */
  addAirdrop(id: proto.IPendingAirdropId): void;
};

/** Without any member if the change has none. */
type ChangedValue = Partial<BlockMessages['MapChangeValue']>;
type Reader = (state: Known, key: Buffer, value: ChangedValue) => void;

type Known = ReturnType<typeof createKnown>;

function createKnown() {
  return {
    accounts: new Map<bigint, proto.IAccount>(),
    tokens: new Map<bigint, { totalSupply: bigint; lastSerial: bigint }>(),
    topics: new Map<bigint, { sequenceNumber: bigint; runningHash: Uint8Array }>(),
    bytecodes: new Map<bigint, Uint8Array>(),
    slots: new Map<SlotName, Uint8Array>(),
    created: new Map<CreatedKind, Buffer[]>(),
    airdrops: [] as PendingAirdrop[],
  };
}

export function createBlockState(): BlockState {
  const state = createKnown();
  return {
    goBack(changes) {
      state.created = new Map();
      state.airdrops = [];
      const all = changes.flatMap(({ stateChanges }) => stateChanges);
      return all.filter((change) => !tryChange(state, change)).length;
    },
    takeCreated(kind) {
      const keys = state.created.get(kind) ?? [];
      const newest = keys.reduce<Buffer | null>((best, key) => (best && number(best) > number(key) ? best : key), null);
      state.created.set(
        kind,
        keys.filter((key) => key !== newest),
      );
      return newest;
    },
    account: (id) => state.accounts.get(id) ?? null,
    token: (id) => state.tokens.get(id) ?? null,
    topic: (id) => state.topics.get(id) ?? null,
    bytecode: (id) => state.bytecodes.get(id) ?? null,
    slot: (name) => state.slots.get(name) ?? null,
    setSlot: (name, value) => {
      state.slots.set(name, slotWord(value));
    },
    airdrops: () => state.airdrops,
    setAirdrop(airdrop, amount) {
      state.airdrops = state.airdrops.flatMap((other) => {
        if (other !== airdrop) return [other];
        return amount === null ? [] : [{ ...airdrop, amount }];
      });
    },
    addAirdrop(id) {
      const idBytes = proto.PendingAirdropId.encode(id).finish();
      state.airdrops = [...state.airdrops, { id, idBytes, amount: null }];
    },
  };
}

const readers: { readonly [Kind in keyof BlockMessages['MapChangeKey']]?: Reader } = {
  accountId: ({ accounts }, key, { account }) => {
    if (account?.length)
      accounts.set(toEntityId(decodeMessage(proto.AccountID, key)), decodeMessage(proto.Account, account));
  },
  fileId: (state, key) => noteCreated(state, 'fileId', key),
  scheduleId: (state, key) => noteCreated(state, 'scheduleId', key),
  entityNumber: (state, key, value) => {
    if (Object.hasOwn(value, 'node')) noteCreated(state, 'node', key);
    if (Object.hasOwn(value, 'registeredNode')) noteCreated(state, 'registeredNode', key);
  },
  topicId: (state, key, { topic }) => {
    noteCreated(state, 'topicId', key);
    if (!topic?.length) return;
    const { sequenceNumber, runningHash } = decodeMessage(proto.Topic, topic);
    state.topics.set(toEntityId(decodeMessage(proto.TopicID, key)), {
      sequenceNumber: toBigInt(sequenceNumber),
      runningHash,
    });
  },
  tokenId: (state, key, { token }) => {
    noteCreated(state, 'tokenId', key);
    if (!token?.length) return;
    const { totalSupply, lastUsedSerialNumber } = decodeMessage(proto.Token, token);
    state.tokens.set(toEntityId(decodeMessage(proto.TokenID, key)), {
      totalSupply: toBigInt(totalSupply),
      lastSerial: toBigInt(lastUsedSerialNumber),
    });
  },
  contractId: ({ bytecodes }, key, { bytecode }) => {
    if (bytecode?.length)
      bytecodes.set(toEntityId(decodeMessage(proto.ContractID, key)), decodeMessage(proto.Bytecode, bytecode).code);
  },
  pendingAirdropId: ({ airdrops }, key, { accountPendingAirdrop }) => {
    // That of an NFT may be empty.
    const { pendingAirdropValue } = decodeMessage(proto.AccountPendingAirdrop, accountPendingAirdrop ?? noBytes);
    const id = decodeMessage(proto.PendingAirdropId, key);
    airdrops.push({ id, idBytes: key, amount: toBigInt(pendingAirdropValue?.amount) });
  },
};

/** Whether it could be read. */
function tryChange(state: Known, { mapUpdate, mapDelete }: BlockMessages['StateChange']): boolean {
  try {
    if (mapUpdate?.key) readChange(state, mapUpdate.key, mapUpdate.value ?? {});
    if (mapDelete?.key) clearSlot(state, mapDelete.key);
    return true;
  } catch (error) {
    if (!isBadData(error)) throw error;
    return false;
  }
}

function readChange(state: Known, key: BlockMessages['MapChangeKey'], value: ChangedValue): void {
  const slot = findSlot(key);
  if (slot) {
    const { slotValue } = value;
    state.slots.set(slot.name, slotValue?.length ? slotWord(decodeMessage(proto.SlotValue, slotValue).value) : noBytes);
    return;
  }
  for (const [kind, bytes] of Object.entries(key))
    readers[kind as keyof BlockMessages['MapChangeKey']]?.(state, bytes, value);
}

function clearSlot({ slots }: Known, key: BlockMessages['MapChangeKey']): void {
  const slot = findSlot(key);
  if (slot) slots.set(slot.name, noBytes);
}

function noteCreated({ created }: Known, kind: CreatedKind, key: Buffer): void {
  const keys = created.get(kind);
  if (keys) keys.push(key);
  else created.set(kind, [key]);
}

const noBytes = new Uint8Array(0);

/** The number in a serialized FileID, TopicID, TokenID, ScheduleID (field 3) or UInt64Value (field 1). */
function number(key: Buffer): bigint {
  const { shardNum, fileNum } = decodeMessage(proto.FileID, key);
  return toBigInt(fileNum) || toBigInt(shardNum);
}
