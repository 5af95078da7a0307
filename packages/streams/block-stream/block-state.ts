// State derived from state changes: a block gives the state after each unit, so a walk from its end that undoes every
// transaction's own change gives the state after each transaction. What a unit's values leave out is looked for in
// earlier changes of the block, then in earlier blocks, which others know, and last in what later units were seen to
// begin with.
import { decodeMessage, tryDecode } from '../../protocol/hapi/decode-message.ts';
import { toEntityIdOrNone } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { isBadData } from '../../protocol/ledger-value-error.ts';
import { nameOfQuestion, type StateAnswer, type StateAnswers, type StateQuestion } from '../stream/state-question.ts';
import type { KeyKind } from './block-messages.ts';
import { type StateChange, type StateChanges, visitAccounts } from './read-state-changes.ts';
import { type StateField, stateFields } from './state-fields.ts';
import {
  type FieldValue,
  isNameOfAccount,
  nameOfAccount,
  nameOfBytecode,
  nameOfChange,
  nameOfToken,
  nameOfTopic,
  readField,
  type StateHistory,
  toAirdropQuestion,
  type ValueOfState,
} from './state-history.ts';
import { slotWord, type WrittenSlot } from './written-slots.ts';

/** Entities whose id is only in their state. */
type CreatedKind = 'fileId' | 'topicId' | 'tokenId' | 'scheduleId' | 'node' | 'registeredNode';

type PendingAirdrop = {
  id: proto.IPendingAirdropId;
  /** Pending amount, 0 for an NFT; null if unknown; undefined: as the state says it. */
  amount: bigint | null | undefined;
};

/** What is null is unknown. */
export type BlockState = {
  /**
   * Adds the state changes of the preceding unit. Returns how many of them could not be read.
   * @param end.place of the last change up to the end of the unit
   * @param end.isWhole no transaction of the unit is left out: else nothing is known of what its transactions did
   */
  goBack(changes: readonly StateChanges[], end: { place: number; isWhole: boolean }): number;
  /** The newest entity of that kind that was not taken yet, serialized as in its key; null without one. */
  takeCreated(kind: CreatedKind): Buffer | null;
  /** Empty without one. */
  alias(accountId: bigint): Uint8Array | null;
  ethereumNonce(accountId: bigint): bigint | null;
  totalSupply(tokenId: bigint): bigint | null;
  setTotalSupply(tokenId: bigint, supply: bigint): void;
  lastSerial(tokenId: bigint): bigint | null;
  setLastSerial(tokenId: bigint, serial: bigint): void;
  sequenceNumber(topicId: bigint): bigint | null;
  setSequenceNumber(topicId: bigint, sequence: bigint): void;
  runningHash(topicId: bigint): Uint8Array | null;
  /** Before a message of the unit only its own trace, or that of another message, says the hash. */
  forgetRunningHash(topicId: bigint): void;
  /** Runtime bytecode of a contract. */
  bytecode(contractId: bigint): Uint8Array | null;
  /**
   * Without leading zeros, empty if it was cleared. `before`: of the unit, if its own traces show it; else asked for.
   */
  slot(slot: WrittenSlot, before?: () => Uint8Array | null): Uint8Array | null;
  setSlot(slot: WrittenSlot, value: Uint8Array): void;
  /** Airdrops of the unit that are pending at this point of the walk. */
  airdrops(): readonly PendingAirdrop[];
  amountOf(airdrop: PendingAirdrop): bigint | null;
  /** The pending amount before; null: none. */
  setAirdrop(airdrop: PendingAirdrop, amount: bigint | null): void;
  /** An airdrop that is no longer pending afterwards. */
  addAirdrop(id: proto.IPendingAirdropId): void;
  /** What was asked of earlier blocks, and has no answer yet. */
  questions(): StateQuestion[];
};

type Asked = { name: string; field: StateField; question: StateQuestion | null };

/** What of the block is known. Where something is left out, what it did to the state is not undone. */
type KnownParts = {
  /** All transactions that the block has results of. */
  isWhole: boolean;
  lacksStateChanges: boolean;
};

/** @param answers of earlier blocks, as far as they were asked */
export function createBlockState(
  history: StateHistory,
  answers: StateAnswers,
  { isWhole, lacksStateChanges }: KnownParts,
): BlockState {
  const unit = createUnit();
  let isKnown = !lacksStateChanges;
  /** Fields whose value at this point of the walk is known from what transactions of the unit did. */
  let undone = new Map<string, NonNullable<StateAnswer>>();
  /** Fields that a transaction of the unit changed, from what is not known. */
  let forgotten = new Set<string>();
  /** The same at the beginning of later units. */
  const later = new Map<string, NonNullable<StateAnswer>>();
  const questions = new Map<string, StateQuestion>();

  function ask(question: StateQuestion | null): StateAnswer {
    if (question === null) return null;
    const name = nameOfQuestion(question);
    const answer = answers.get(name);
    if (answer === undefined) questions.set(name, question);
    return answer ?? null;
  }

  function find({ name, field, question }: Asked, before?: () => StateAnswer): StateAnswer {
    const key = keyOf(name, field);
    const known = undone.get(key);
    if (known !== undefined) return known;
    if (forgotten.has(key) || !isKnown) return null;
    const own = unit.find(name);
    let found = own ? readField(own, field) : 'unchanged';
    if (found === 'unchanged') found = history.find(name, field, unit.place());
    const answer = found === 'unchanged' ? (before?.() ?? ask(question)) : toAnswer(found);
    return answer ?? (isWhole ? later.get(key) : null) ?? null;
  }

  const integer = (asked: Asked): bigint | null => find(asked) as bigint | null;
  const bytes = (asked: Asked): Uint8Array | null => find(asked) as Uint8Array | null;
  const set = ({ name, field }: Asked, value: NonNullable<StateAnswer>): void =>
    void undone.set(keyOf(name, field), value);

  /** A field that a unit changed is not what it was before, unless that was undone. */
  function leaveUnit(): void {
    if (later.size > 0) for (const key of unit.changedKeys()) later.delete(key);
    for (const [key, value] of undone) later.set(key, value);
    if (forgotten.size > 0) forgotten = new Set();
    if (undone.size > 0) undone = new Map();
  }

  return {
    goBack(all, { place, isWhole: isWholeUnit }) {
      leaveUnit();
      isKnown = isWholeUnit && !lacksStateChanges;
      return unit.begin(all, place);
    },
    takeCreated: (kind) => (isKnown ? unit.takeCreated(kind) : null),
    alias(accountId) {
      const asked = accountField(accountId, 'alias');
      // It never changes: a later value has it, too.
      const after = () => toAnswer(history.find(asked.name, asked.field, Number.POSITIVE_INFINITY));
      return find(asked, after) as Uint8Array | null;
    },
    ethereumNonce: (accountId) => integer(accountField(accountId, 'ethereumNonce')),
    totalSupply: (tokenId) => integer(tokenField(tokenId, 'totalSupply')),
    setTotalSupply: (tokenId, supply) => set(tokenField(tokenId, 'totalSupply'), supply),
    lastSerial: (tokenId) => integer(tokenField(tokenId, 'lastSerial')),
    setLastSerial: (tokenId, serial) => set(tokenField(tokenId, 'lastSerial'), serial),
    sequenceNumber: (topicId) => integer(topicField(topicId, 'sequenceNumber')),
    setSequenceNumber: (topicId, sequence) => set(topicField(topicId, 'sequenceNumber'), sequence),
    runningHash: (topicId) => bytes(topicField(topicId, 'runningHash')),
    forgetRunningHash: (topicId) => void forgotten.add(keyOf(nameOfTopic(topicId), stateFields.topic.runningHash)),
    bytecode(contractId) {
      // Only created ones are asked for: no earlier block has it.
      const code = bytes({ name: nameOfBytecode(contractId), field: stateFields.bytecode.code, question: null });
      return code?.length ? code : null;
    },
    slot(slot, before) {
      const value = find(slotField(slot), before) as Uint8Array | null;
      return value && slotWord(value);
    },
    setSlot: (slot, value) => set(slotField(slot), slotWord(value)),
    airdrops: () => (isKnown ? unit.airdrops() : []),
    amountOf({ id, amount }) {
      if (amount !== undefined) return amount;
      const question = toAirdropQuestion(id);
      if (question.serialNumber !== 0n) return 0n;
      const field = stateFields.accountPendingAirdrop.pendingAirdropValue;
      const found = find({ name: nameOfQuestion(question), field, question });
      return found instanceof Uint8Array ? readAmount(found) : found;
    },
    setAirdrop: unit.setAirdrop,
    addAirdrop: unit.addAirdrop,
    questions: () => [...questions.values()],
  };
}

function toAnswer(found: FieldValue): StateAnswer {
  return found === 'unchanged' || found === 'unknown' ? null : found;
}

function keyOf(name: string, { number }: StateField): string {
  return `${name}/${number}`;
}

function accountField(accountId: bigint, kind: 'alias' | 'ethereumNonce'): Asked {
  return { name: nameOfAccount(accountId), field: stateFields.account[kind], question: { kind, accountId } };
}

function tokenField(tokenId: bigint, kind: 'totalSupply' | 'lastSerial'): Asked {
  return { name: nameOfToken(tokenId), field: stateFields.token[kind], question: { kind, tokenId } };
}

/** A message changes both. */
function topicField(topicId: bigint, kind: 'sequenceNumber' | 'runningHash'): Asked {
  return { name: nameOfTopic(topicId), field: stateFields.topic[kind], question: null };
}

function slotField({ name, question }: WrittenSlot): Asked {
  return { name, field: stateFields.slotValue.value, question };
}

/** Of a serialized PendingAirdropValue; null for one that cannot be read. */
function readAmount(message: Uint8Array): bigint | null {
  const value = tryDecode(proto.PendingAirdropValue, message);
  return value && toBigInt(value.amount);
}

/** The changes of the current unit. */
function createUnit() {
  let own = new Map<string, ValueOfState & { fields: readonly StateField[] }>();
  let created = new Map<CreatedKind, Buffer[]>();
  let airdrops: PendingAirdrop[] = [];
  let accounts: readonly StateChanges[] = [];
  let accountsByName: Map<string, ValueOfState> | null = null;
  let end = -1;

  function noteCreated(kind: CreatedKind, key: Buffer): void {
    const keys = created.get(kind);
    if (keys) keys.push(key);
    else created.set(kind, [key]);
  }

  function take(change: StateChange): boolean {
    try {
      const { kind, key, valueKind, isRemoved, isPartial } = change;
      const createdKind = isRemoved || isPartial ? null : createdKindOf(kind, valueKind);
      if (createdKind) noteCreated(createdKind, key);
      const name = nameOfChange(change);
      if (name === null) return true;
      const fields = fieldsOf(change);
      const isRefused = !isRemoved && fields.some((field) => readField(change, field) === 'unknown');
      own.set(name, { ...change, isRefused, fields });
      if (kind === 'pendingAirdropId' && !isRemoved)
        airdrops.push({ id: decodeMessage(proto.PendingAirdropId, key), amount: undefined });
      // Others that are refused were reported by the reader.
      return !isRefused || change.isRefused;
    } catch (error) {
      if (!isBadData(error)) throw error;
      return false;
    }
  }

  return {
    place: () => end,
    begin(all: readonly StateChanges[], place: number): number {
      if (own.size > 0) own = new Map();
      if (created.size > 0) created = new Map();
      if (airdrops.length > 0) airdrops = [];
      [accounts, accountsByName, end] = [all, null, place];
      let unread = 0;
      for (const { changes, unreadAccounts } of all) {
        unread += unreadAccounts;
        for (const change of changes) if (!take(change)) unread += 1;
      }
      return unread;
    },
    /** Accounts are indexed when one is asked for. */
    find(name: string): ValueOfState | undefined {
      if (!isNameOfAccount(name)) return own.get(name);
      accountsByName ??= indexAccounts(accounts);
      return accountsByName.get(name);
    },
    *changedKeys(): Iterable<string> {
      for (const [name, { fields }] of own) for (const field of fields) yield keyOf(name, field);
    },
    takeCreated(kind: CreatedKind): Buffer | null {
      const keys = created.get(kind) ?? [];
      const newest = keys.reduce<Buffer | null>((best, key) => (best && number(best) > number(key) ? best : key), null);
      created.set(
        kind,
        keys.filter((key) => key !== newest),
      );
      return newest;
    },
    airdrops: () => airdrops,
    setAirdrop(airdrop: PendingAirdrop, amount: bigint | null): void {
      airdrops = airdrops.flatMap((other) => {
        if (other !== airdrop) return [other];
        return amount === null ? [] : [{ ...airdrop, amount }];
      });
    },
    addAirdrop(id: proto.IPendingAirdropId): void {
      airdrops = [...airdrops, { id, amount: null }];
    },
  };
}

function fieldsOf({ kind }: StateChange): readonly StateField[] {
  return fieldsOfKind[kind] ?? [];
}

const slotFields = Object.values(stateFields.slotValue);

const fieldsOfKind: { readonly [Kind in KeyKind]?: readonly StateField[] } = {
  tokenId: Object.values(stateFields.token),
  topicId: Object.values(stateFields.topic),
  contractId: Object.values(stateFields.bytecode),
  pendingAirdropId: Object.values(stateFields.accountPendingAirdrop),
  slotKey: slotFields,
  evmHookSlot: slotFields,
};

function createdKindOf(kind: KeyKind, valueKind: StateChange['valueKind']): CreatedKind | null {
  if (kind === 'fileId' || kind === 'scheduleId' || kind === 'topicId' || kind === 'tokenId') return kind;
  return kind === 'entityNumber' && (valueKind === 'node' || valueKind === 'registeredNode') ? valueKind : null;
}

/** The last one of each id. Those under keys that are no ids are left out. */
function indexAccounts(all: readonly StateChanges[]): Map<string, ValueOfState> {
  const byName = new Map<string, ValueOfState>();
  for (const { accounts } of all) {
    if (!accounts) continue;
    visitAccounts(accounts, (accountId, account) => {
      const id = toEntityIdOrNone(tryDecode(proto.AccountID, accountId));
      if (id !== 0n) byName.set(nameOfAccount(id), { ...account, isRemoved: false });
    });
  }
  return byName;
}

/** The number in a serialized FileID, TopicID, TokenID, ScheduleID (field 3) or UInt64Value (field 1). */
function number(key: Buffer): bigint {
  const { shardNum, fileNum } = decodeMessage(proto.FileID, key);
  return toBigInt(fileNum) || toBigInt(shardNum);
}
