// State derived backwards from state changes: a block gives the state after each unit, so a walk from its end that undoes
// every transaction's own change gives the state after each transaction.
import { decodeMessage, tryDecode } from '../hapi/decode-message.ts';
import { toEntityId, toEntityIdOrNone } from '../hapi/entity-id.ts';
import { proto, toBigInt } from '../hapi/hapi.ts';
import { isBadData } from '../ledger-value-error.ts';
import { noBytes } from '../wire-fields.ts';
import type { KeyKind } from './block-messages.ts';
import { type StateChange, type StateChanges, visitAccounts } from './read-state-changes.ts';
import { findSlot, type SlotName, slotWord } from './written-slots.ts';

/** Entities whose id is only in their state. */
type CreatedKind = 'fileId' | 'topicId' | 'tokenId' | 'scheduleId' | 'node' | 'registeredNode';

type PendingAirdrop = {
  id: proto.IPendingAirdropId;
  /** Pending amount, 0 for an NFT; null if unknown. */
  amount: bigint | null;
};

export type BlockState = {
  /** Adds the state changes of the preceding unit. Returns how many of them could not be read. */
  goBack(changes: readonly StateChanges[]): number;
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

type Reader = (state: Known, change: StateChange) => void;

type Known = ReturnType<typeof createKnown>;

function createKnown() {
  return {
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
  const accounts = createAccounts();
  return {
    goBack(all) {
      if (state.created.size > 0) state.created.clear();
      if (state.airdrops.length > 0) state.airdrops = [];
      accounts.goBack(all);
      let unread = 0;
      for (const { changes, unreadAccounts } of all) {
        unread += unreadAccounts;
        for (const change of changes) if (!tryChange(state, change)) unread += 1;
      }
      return unread;
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
    account: accounts.find,
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
      state.airdrops = [...state.airdrops, { id, amount: null }];
    },
  };
}

/** Accounts are indexed by id when one is asked for: first those of the current unit, which has nearly all that are. */
function createAccounts() {
  let own: readonly StateChanges[] = [];
  let ownById: Map<bigint, Buffer> | null = null;
  /** Of the units after the current one, in the order of the walk. */
  let unindexed: StateChanges[] = [];
  const laterById = new Map<bigint, Buffer>();
  return {
    goBack(all: readonly StateChanges[]): void {
      for (const changes of own) if (changes.accounts) unindexed.push(changes);
      own = all;
      ownById = null;
    },
    find(id: bigint): proto.IAccount | null {
      ownById ??= indexAccounts(own, new Map());
      let account = ownById.get(id);
      if (!account) {
        indexAccounts(unindexed, laterById);
        unindexed = [];
        account = laterById.get(id);
      }
      return account ? tryDecode(proto.Account, account) : null;
    },
  };
}

/** The last one of each id. Those under keys that are no ids are left out. */
function indexAccounts(all: readonly StateChanges[], byId: Map<bigint, Buffer>): Map<bigint, Buffer> {
  for (const { accounts } of all) {
    if (!accounts) continue;
    visitAccounts(accounts, (accountId, account) => {
      const id = toEntityIdOrNone(tryDecode(proto.AccountID, accountId));
      if (id !== 0n) byId.set(id, account);
    });
  }
  return byId;
}

const readers: { readonly [Kind in KeyKind]?: Reader } = {
  fileId: (state, { key }) => noteCreated(state, 'fileId', key),
  scheduleId: (state, { key }) => noteCreated(state, 'scheduleId', key),
  entityNumber: (state, { key, valueKind }) => {
    if (valueKind === 'node' || valueKind === 'registeredNode') noteCreated(state, valueKind, key);
  },
  topicId: (state, { key, valueKind, value }) => {
    noteCreated(state, 'topicId', key);
    if (valueKind !== 'topic' || value.length === 0) return;
    const { sequenceNumber, runningHash } = decodeMessage(proto.Topic, value);
    state.topics.set(toEntityId(decodeMessage(proto.TopicID, key)), {
      sequenceNumber: toBigInt(sequenceNumber),
      runningHash,
    });
  },
  tokenId: (state, { key, valueKind, value }) => {
    noteCreated(state, 'tokenId', key);
    if (valueKind !== 'token' || value.length === 0) return;
    const { totalSupply, lastUsedSerialNumber } = decodeMessage(proto.Token, value);
    state.tokens.set(toEntityId(decodeMessage(proto.TokenID, key)), {
      totalSupply: toBigInt(totalSupply),
      lastSerial: toBigInt(lastUsedSerialNumber),
    });
  },
  contractId: ({ bytecodes }, { key, valueKind, value }) => {
    if (valueKind === 'bytecode' && value.length > 0)
      bytecodes.set(toEntityId(decodeMessage(proto.ContractID, key)), decodeMessage(proto.Bytecode, value).code);
  },
  pendingAirdropId: ({ airdrops }, { key, valueKind, value }) => {
    // That of an NFT may be empty.
    const bytes = valueKind === 'accountPendingAirdrop' ? value : noBytes;
    const { pendingAirdropValue } = decodeMessage(proto.AccountPendingAirdrop, bytes);
    const id = decodeMessage(proto.PendingAirdropId, key);
    airdrops.push({ id, amount: toBigInt(pendingAirdropValue?.amount) });
  },
};

/** Whether it could be read. */
function tryChange(state: Known, change: StateChange): boolean {
  try {
    readChange(state, change);
    return true;
  } catch (error) {
    if (!isBadData(error)) throw error;
    return false;
  }
}

function readChange(state: Known, change: StateChange): void {
  const { kind, valueKind, value, isRemoved } = change;
  const slot = findSlot(change);
  if (slot) {
    const hasValue = !isRemoved && valueKind === 'slotValue' && value.length > 0;
    state.slots.set(slot.name, hasValue ? slotWord(decodeMessage(proto.SlotValue, value).value) : noBytes);
  } else if (!isRemoved) readers[kind]?.(state, change);
}

function noteCreated({ created }: Known, kind: CreatedKind, key: Buffer): void {
  const keys = created.get(kind);
  if (keys) keys.push(key);
  else created.set(kind, [key]);
}

/** The number in a serialized FileID, TopicID, TokenID, ScheduleID (field 3) or UInt64Value (field 1). */
function number(key: Buffer): bigint {
  const { shardNum, fileNum } = decodeMessage(proto.FileID, key);
  return toBigInt(fileNum) || toBigInt(shardNum);
}
