// The accounts that a transaction concerned, as they were before it and, if wanted, after it: from what was recorded,
// without running it again.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { selectFunctionResult } from '../../../packages/store/read/state/select-function-result.ts';
import { selectPastBalances } from '../../../packages/store/read/state/select-past-balances.ts';
import { selectPastNonces } from '../../../packages/store/read/state/select-past-nonces.ts';
import {
  type StateAccountRow,
  selectRuntimeCodes,
  selectStateAccounts,
} from '../../../packages/store/read/state/select-state-accounts.ts';
import {
  selectParties,
  selectTouchedSlots,
  type TouchedSlotRow,
} from '../../../packages/store/read/state/select-touched.ts';
import type { ContractResultDetail } from '../../ledger/contracts/create-contract-results.ts';
import type { BalanceSnapshots } from '../facts/balance-snapshots.ts';
import { decodeNonces } from '../rerun/decode-nonces.ts';
import { findUnit } from '../rerun/find-unit.ts';
import { nonceChanges, readAuthorizations } from '../rerun/read-authorizations.ts';
import { collectTouched, type Touched } from './collect-touched.ts';

/** What is shown besides addresses, balances and nonces. `diff`: only those who changed, before and after. */
export type PrestateShown = { diff: boolean; code: boolean; storage: boolean };

export type PrestateAccount = {
  /** 20 bytes. */
  address: Buffer;
  /** tinybar */
  balance: bigint;
  nonce: bigint;
  /** null = it is no contract, its code is unknown, or is not shown. */
  code: Buffer | null;
  /** 32 bytes each, by slot; those that are zero are left out. */
  storage: readonly (readonly [slot: Buffer, value: Buffer])[];
};

/** By address. */
export type Prestate = { pre: PrestateAccount[]; post: PrestateAccount[] };

/** The most that one transaction may take; what is beyond is left out, but code, of which more is refused. */
const limits = { accounts: 1000, actions: 50_000, slots: 50_000, codeBytes: 10_000_000 };

export class PrestateTooLarge extends Error {
  constructor() {
    super(`The code of its contracts has more than ${limits.codeBytes} bytes`);
  }
}

/** Throws PrestateTooLarge. `db`: of one snapshot. */
export async function readPrestate(
  { db, snapshots }: { db: Database; snapshots: BalanceSnapshots },
  result: ContractResultDetail,
  shown: PrestateShown,
): Promise<Prestate> {
  const { consensusTimestamp: at } = result;
  const [unit, actions, slots, functionResult] = await Promise.all([
    findUnit(db, result),
    selectParties(db, result, limits.actions),
    shown.storage ? selectTouchedSlots(db, at, { written: shown.diff, limit: limits.slots }) : [],
    selectFunctionResult(db, at),
  ]);
  const contractNonces = decodeNonces(functionResult);
  const authorizations = await nonceChanges(db, readAuthorizations(result.authorizationList), unit);
  const authorities = authorizations.map(({ address }) => address);
  const touched = collectTouched({ result, unit, actions, slots, contractNonces, authorities }, limits.accounts);
  const asked = { ids: [...touched.ids], addresses: touched.addresses };
  const [rowsBefore, rowsAfter] = await Promise.all([
    selectStateAccounts(db, asked, unit.before),
    shown.diff ? selectStateAccounts(db, asked, unit.after) : [],
  ]);
  const before = livingAt(rowsBefore, unit.before);
  const after = livingAt(rowsAfter, unit.after);
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  const [balances, nonces, codes] = await Promise.all([
    readBalances(db, snapshots, [...before.keys()], unit.before),
    readNonces(db, before, unit.before),
    shown.code ? readCodes(db, [...before.values(), ...after.values()]) : new Map<bigint, Buffer>(),
  ]);
  const change = changeOf(touched, { authorizations, rows: [...rowsBefore, ...rowsAfter], past: nonces });
  const slotsOf = Map.groupBy(slots, ({ contractId }) => contractId);
  const accountOf = (row: LivingRow, isAfter: boolean): PrestateAccount => ({
    address: addressOf(row),
    balance: (balances.get(row.id) ?? 0n) + (isAfter ? change.moved(row) : 0n),
    nonce: isAfter ? change.nonceAfter(row) : change.nonceBefore(row),
    code: row.type === 'CONTRACT' ? (codes.get(row.id) ?? null) : null,
    storage: storageOf(slotsOf.get(row.id) ?? [], isAfter),
  });
  const pre: PrestateAccount[] = [];
  const post: PrestateAccount[] = [];
  for (const id of ids) {
    const [one, other] = [before.get(id), after.get(id)];
    const accounts = { before: one && accountOf(one, false), after: other && accountOf(other, true) };
    if (shown.diff && accounts.before && accounts.after && isEqual(accounts.before, accounts.after)) continue;
    if (accounts.before) pre.push(accounts.before);
    if (accounts.after) post.push(accounts.after);
  }
  return { pre: pre.sort(byAddress), post: post.sort(byAddress) };
}

type LivingRow = StateAccountRow & { id: bigint; type: 'ACCOUNT' | 'CONTRACT' };

function livingAt(rows: readonly StateAccountRow[], moment: bigint): Map<bigint, LivingRow> {
  const living = rows.filter(
    ({ id, type, deleted, createdTimestamp: created }) =>
      id !== null &&
      (type === 'ACCOUNT' || type === 'CONTRACT') &&
      deleted !== true &&
      (created === null || created <= moment),
  );
  return new Map((living as LivingRow[]).map((row) => [row.id, row]));
}

async function readBalances(db: Database, snapshots: BalanceSnapshots, ids: readonly bigint[], until: bigint) {
  if (ids.length === 0) return new Map<bigint, bigint>();
  const snapshot = await snapshots.before(db, { key: `${until}`, until });
  return selectPastBalances(db, ids, { snapshot, until });
}

/** Histories have no nonces: of senders they follow from what they sent. */
async function readNonces(db: Database, before: ReadonlyMap<bigint, LivingRow>, until: bigint) {
  const senders = [...before.values()].filter(({ type, ethereumNonce }) => type === 'ACCOUNT' && ethereumNonce);
  return selectPastNonces(
    db,
    senders.map(({ id }) => id),
    until,
  );
}

async function readCodes(db: Database, rows: readonly LivingRow[]): Promise<Map<bigint, Buffer>> {
  const ids = new Set(rows.flatMap(({ id, type }) => (type === 'CONTRACT' ? [id] : [])));
  const found = ids.size === 0 ? [] : await selectRuntimeCodes(db, [...ids]);
  const codes = new Map<bigint, Buffer>();
  let bytes = 0;
  for (const { id, runtimeBytecode } of found) {
    if (!runtimeBytecode?.length) continue;
    bytes += runtimeBytecode.length;
    codes.set(id, runtimeBytecode);
  }
  if (bytes > limits.codeBytes) throw new PrestateTooLarge();
  return codes;
}

type Known = {
  authorizations: readonly { address: Buffer; before: bigint; after: bigint }[];
  rows: readonly StateAccountRow[];
  past: ReadonlyMap<bigint, bigint>;
};

/** Nonces before and after, and what calls moved; of those who are named by address, too. */
function changeOf({ nonces, rises, moved, movedTo }: Touched, { authorizations, rows, past }: Known) {
  const signed = new Map(authorizations.map(({ address, ...change }) => [address.toString('hex'), change]));
  const addresses = new Map(
    rows.flatMap(({ asked, id }) => (asked && id ? [[id, asked.toString('hex')] as const] : [])),
  );
  const named = <T>(values: ReadonlyMap<string, T>, id: bigint): T | undefined => values.get(addresses.get(id) ?? '');
  const unchanged = ({ id, type, ethereumNonce }: LivingRow): bigint =>
    past.get(id) ?? ethereumNonce ?? (type === 'CONTRACT' ? 1n : 0n);
  return {
    moved: ({ id }: LivingRow): bigint => (moved.get(id) ?? 0n) + (named(movedTo, id) ?? 0n),
    nonceAfter: (row: LivingRow): bigint => named(signed, row.id)?.after ?? nonces.get(row.id) ?? unchanged(row),
    nonceBefore(row: LivingRow): bigint {
      const after = nonces.get(row.id);
      // A sender's authorizations follow its transaction.
      if (after === undefined) return named(signed, row.id)?.before ?? unchanged(row);
      const before = after - (rises.get(row.id) ?? 0n);
      return before < 0n ? 0n : before;
    },
  };
}

const addressLength = 20;

function addressOf({ evmAddress, id }: LivingRow): Buffer {
  return evmAddress?.length === addressLength ? evmAddress : toLongZeroAddress(id);
}

function storageOf(slots: readonly TouchedSlotRow[], isAfter: boolean): [Buffer, Buffer][] {
  return slots.flatMap(({ slot, valueRead, valueWritten }): [Buffer, Buffer][] => {
    const value = isAfter ? valueWritten : valueRead;
    return value?.some((byte) => byte !== 0) ? [[toWord(slot), toWord(value)]] : [];
  });
}

function toWord(bytes: Buffer): Buffer {
  const word = Buffer.alloc(32);
  bytes.subarray(-32).copy(word, 32 - Math.min(32, bytes.length));
  return word;
}

function isEqual(one: PrestateAccount, other: PrestateAccount): boolean {
  const isSameStorage =
    one.storage.length === other.storage.length &&
    one.storage.every(([slot, value], at) => {
      const [otherSlot, otherValue] = other.storage[at]!;
      return slot.equals(otherSlot) && value.equals(otherValue);
    });
  // The code of a contract never changes.
  return one.balance === other.balance && one.nonce === other.nonce && isSameStorage;
}

function byAddress(one: PrestateAccount, other: PrestateAccount): number {
  return Buffer.compare(one.address, other.address);
}
