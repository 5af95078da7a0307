// The hooks of accounts and contracts, and what their storage holds or held.
import { isEmptyRange, type Range } from '../../kit/range.ts';
import { type HookRow, selectHookStorage, selectHooks } from '../../store/read/select-hooks.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';

export type Hook = {
  hookId: bigint;
  ownerId: bigint;
  adminKey: Buffer | null;
  contractId: bigint;
  createdTimestamp: bigint;
  deleted: boolean;
  extensionPoint: string;
  type: string;
  /** To: exclusive; null = until now. */
  valid: { from: bigint; to: bigint | null };
};

export type HooksQuery = { ownerId: bigint; hookId: Range; order: 'asc' | 'desc'; limit: number };

export type HookSlot = {
  /** 32 bytes. */
  key: Buffer;
  /** Without leading zeros, empty where the slot was taken away; null where it was only read. */
  value: Buffer | null;
  /** Of the change, ns. */
  timestamp: bigint;
};

export type HookStorageQuery = {
  ownerId: bigint;
  hookId: bigint;
  /** Keys as numbers; several exact ones are alternatives. */
  key: Range;
  /** Only changes within, the newest of each slot; null = what is there now. */
  timestamp: Range | null;
  order: 'asc' | 'desc';
  limit: number;
};

const maxKey = 2n ** 256n - 1n;

export function createHooks({ db }: { db: Database }) {
  return {
    /** Deleted ones, too; of several exact ids any. */
    async list(query: HooksQuery): Promise<Page<Hook>> {
      if (isEmptyRange(query.hookId)) return emptyPage;
      const rows = await selectHooks(db, query);
      return toPage(rows.map(toHook), query.limit, (last) => last.hookId);
    },
    /** Of an unknown hook nothing. The next page begins by key. */
    async listStorage({ key, timestamp, ...query }: HookStorageQuery): Promise<Page<HookSlot>> {
      const beyond = (key.from ?? 0n) > maxKey || (key.to ?? 0n) < 0n;
      if (beyond || isEmptyRange(key) || (timestamp !== null && isEmptyRange(timestamp))) return emptyPage;
      const slots = await selectHookStorage(db, { ...query, key, timestamp });
      return toPage(slots, query.limit, (last) => BigInt(`0x${last.key.toString('hex')}`));
    },
  };
}

function toHook(row: HookRow): Hook {
  return {
    hookId: row.hookId,
    ownerId: row.ownerId,
    adminKey: row.adminKey,
    contractId: row.contractId,
    createdTimestamp: row.createdTimestamp,
    deleted: row.deleted,
    extensionPoint: row.extensionPoint,
    type: row.type,
    valid: { from: row.validFrom, to: row.validTo },
  };
}
