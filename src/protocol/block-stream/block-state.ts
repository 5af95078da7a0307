// What state changes say, asked backwards: a block gives the state after its last transaction (or after a group of them), so
// a walk from its end, in which every transaction's own change is taken back, gives the state after each.
import { decodeMessage } from '../hapi/decode-message.ts';
import { toEntityId } from '../hapi/entity-id.ts';
import { proto, toBigInt } from '../hapi/hapi.ts';
import type { MapChangeValueMessage, StateChangesMessage, StateKeyKind } from './block-messages.ts';

/** Entities whose id only their state tells. */
type CreatedKind = 'fileId' | 'topicId' | 'tokenId' | 'scheduleId' | 'node' | 'registeredNode';

export type BlockState = {
  /** State changes that stand after what was asked before. */
  goBack(changes: StateChangesMessage): void;
  /** The newest entity of that kind that was not taken yet, serialized as in its key; null without one. */
  takeCreated(kind: CreatedKind): Buffer | null;
  account(id: bigint): proto.IAccount | null;
  token(id: bigint): { totalSupply: bigint; lastSerial: bigint } | null;
  topic(id: bigint): { sequenceNumber: bigint; runningHash: Uint8Array } | null;
  /** Runtime bytecode of a contract. */
  bytecode(contractId: bigint): Uint8Array | null;
  /** Empty when it was cleared, null when nothing is known of it. */
  slot(contractId: bigint, key: Uint8Array): Uint8Array | null;
  setSlot(contractId: bigint, key: Uint8Array, value: Uint8Array): void;
  /** Airdrops of these tokens that became pending, each once. */
  takeAirdrops(
    tokenIds: ReadonlySet<bigint>,
  ): { id: proto.IPendingAirdropId; value: proto.IPendingAirdropValue | null }[];
};

export function createBlockState(): BlockState {
  const accounts = new Map<bigint, proto.IAccount>();
  const tokens = new Map<bigint, { totalSupply: bigint; lastSerial: bigint }>();
  const topics = new Map<bigint, { sequenceNumber: bigint; runningHash: Uint8Array }>();
  const bytecodes = new Map<bigint, Uint8Array>();
  const slots = new Map<string, Uint8Array>();
  let created = new Map<CreatedKind, Buffer[]>();
  let airdrops: ReturnType<BlockState['takeAirdrops']> = [];

  const note = (kind: CreatedKind, key: Buffer): void => {
    created.set(kind, [...(created.get(kind) ?? []), key]);
  };

  const readers: Partial<Record<StateKeyKind, (key: Buffer, value: MapChangeValueMessage) => void>> = {
    accountId: (key, { account }) => {
      if (account?.length)
        accounts.set(toEntityId(decodeMessage(proto.AccountID, key)), decodeMessage(proto.Account, account));
    },
    fileId: (key) => note('fileId', key),
    scheduleId: (key) => note('scheduleId', key),
    entityNumber: (key, { node }) => note(node?.length ? 'node' : 'registeredNode', key),
    topicId: (key, { topic }) => {
      note('topicId', key);
      if (!topic?.length) return;
      const { sequenceNumber, runningHash } = decodeMessage(proto.Topic, topic);
      topics.set(toEntityId(decodeMessage(proto.TopicID, key)), {
        sequenceNumber: toBigInt(sequenceNumber),
        runningHash,
      });
    },
    tokenId: (key, { token }) => {
      note('tokenId', key);
      if (!token?.length) return;
      const { totalSupply, lastUsedSerialNumber } = decodeMessage(proto.Token, token);
      tokens.set(toEntityId(decodeMessage(proto.TokenID, key)), {
        totalSupply: toBigInt(totalSupply),
        lastSerial: toBigInt(lastUsedSerialNumber),
      });
    },
    contractId: (key, { bytecode }) => {
      if (bytecode?.length)
        bytecodes.set(toEntityId(decodeMessage(proto.ContractID, key)), decodeMessage(proto.Bytecode, bytecode).code);
    },
    slotKey: (key, { slotValue }) => {
      const { contractID, key: slot } = decodeMessage(proto.SlotKey, key);
      slots.set(
        slotName(toEntityId(contractID), slot),
        slotValue?.length ? decodeMessage(proto.SlotValue, slotValue).value : empty,
      );
    },
    pendingAirdropId: (key, { accountPendingAirdrop }) => {
      if (!accountPendingAirdrop?.length) return;
      const { pendingAirdropValue } = decodeMessage(proto.AccountPendingAirdrop, accountPendingAirdrop);
      airdrops.push({ id: decodeMessage(proto.PendingAirdropId, key), value: pendingAirdropValue ?? null });
    },
  };

  return {
    goBack({ stateChanges }) {
      const updates = stateChanges.filter(({ mapUpdate }) => mapUpdate?.key);
      if (updates.length > 0) {
        created = new Map();
        airdrops = [];
      }
      for (const { mapUpdate, mapDelete } of stateChanges) {
        for (const [kind, key] of Object.entries(mapUpdate?.key ?? {}) as [StateKeyKind, Buffer][]) {
          readers[kind]?.(key, mapUpdate?.value ?? {});
        }
        if (mapDelete?.key?.slotKey?.length) readers.slotKey?.(mapDelete.key.slotKey, {});
      }
    },
    takeCreated(kind) {
      const keys = created.get(kind) ?? [];
      const newest = keys.reduce<Buffer | null>((best, key) => (best && number(best) > number(key) ? best : key), null);
      if (newest)
        created.set(
          kind,
          keys.filter((key) => key !== newest),
        );
      return newest;
    },
    account: (id) => accounts.get(id) ?? null,
    token: (id) => tokens.get(id) ?? null,
    topic: (id) => topics.get(id) ?? null,
    bytecode: (id) => bytecodes.get(id) ?? null,
    slot: (id, key) => slots.get(slotName(id, key)) ?? null,
    setSlot: (id, key, value) => {
      slots.set(slotName(id, key), value);
    },
    takeAirdrops: (tokenIds) => {
      const isNamed = ({ id }: (typeof airdrops)[number]) =>
        tokenIds.has(toEntityId(id.fungibleTokenType ?? id.nonFungibleToken?.token_ID));
      const taken = airdrops.filter(isNamed);
      airdrops = airdrops.filter((airdrop) => !isNamed(airdrop));
      return taken;
    },
  };
}

const empty = new Uint8Array(0);

/** Slots are written with and without their leading zeros. */
function slotName(contractId: bigint, key: Uint8Array): string {
  return `${contractId}:${Buffer.from(key)
    .toString('hex')
    .replace(/^(00)+/, '')}`;
}

/** The number in a serialized FileID, TopicID, TokenID, ScheduleID (field 3) or UInt64Value (field 1). */
function number(key: Buffer): bigint {
  const { shardNum, fileNum } = decodeMessage(proto.FileID, key);
  return toBigInt(fileNum) || toBigInt(shardNum);
}
