// The ledger that the stored blocks have been verified as, with the keys that are trusted and what could not be read of
// it.
import type { Database } from '../../postgres/wire/database.ts';
import { canRead, selectOne } from './select-one.ts';
import { columns, type RowOf, selectQuery } from './statement/columns.ts';

const ledgerTrust = columns('ledger_trust', {
  ledgerId: 'ledger_id',
  origin: 'origin',
  publication: 'publication',
  wrapsKey: 'wraps_key',
  steps: 'rotation_steps',
  rotationBlock: 'rotation_block',
});
const trustedLedger = columns('ledger_trust', { ledgerId: 'ledger_id', origin: 'origin' });
const ledgerKey = columns('ledger_key', {
  keyHash: 'key_hash',
  source: 'source',
  block: 'named_by',
  namedLast: 'named_last',
  signsFrom: 'signs_from',
});
const formerLedger = columns('former_ledger', { ledgerId: 'ledger_id' });
const unreadPublication = columns('unread_publication', {
  block: 'block',
  source: 'source',
  reason: 'reason',
  content: 'content',
});

export type LedgerTrust = {
  ledgerId: Buffer;
  origin: TrustOrigin;
  /** The oldest first. */
  formerIds: readonly Buffer[];
  publication: Buffer | null;
  wrapsKey: Buffer | null;
  rotation: { steps: bigint; block: bigint } | null;
  keys: readonly LedgerKey[];
};

/** Why it is trusted, the first and the newest block that named it, and the first one that it signed; null: none. */
type LedgerKey = Omit<RowOf<typeof ledgerKey>, 'source'> & { source: 'ledgerId' | 'signedBlock' | 'pinned' };

type TrustOrigin = 'pinned' | 'handedOver' | 'selfDeclared' | 'export';

/** Which ledger it is, without what is known of it: asked again and again. null as below. */
export async function selectTrustedLedger(db: Database): Promise<Pick<LedgerTrust, 'ledgerId' | 'origin'> | null> {
  if (!(await canRead(db, 'ledger_trust'))) return null;
  const found = await selectOne(db, {
    name: 'select-trusted-ledger',
    select: trustedLedger,
    from: 'from ledger_trust',
  });
  return found && { ...found, origin: found.origin as TrustOrigin };
}

/** null = none is trusted yet, or the database is one that this program does not own. */
export async function selectLedgerTrust(db: Database): Promise<LedgerTrust | null> {
  if (!(await canRead(db, 'ledger_trust'))) return null;
  const found = await selectOne(db, {
    name: 'select-ledger-trust',
    select: ledgerTrust,
    from: 'from ledger_trust',
  });
  if (!found) return null;
  const { origin, steps, rotationBlock: block, ...stored } = found;
  const rotation = steps === null || block === null ? null : { steps, block };
  const formerIds = (await selectFormer(db)).map(({ ledgerId }) => ledgerId);
  return { ...stored, origin: origin as TrustOrigin, rotation, formerIds, keys: await selectKeys(db) };
}

async function selectKeys(db: Database): Promise<LedgerKey[]> {
  const found = await selectAllKeys(db);
  return found.filter(({ source }) => source !== unproved) as LedgerKey[];
}

/** Keys that blocks named which are stored and not proved yet; so the keys are not, either. */
export async function selectUnprovedKeys(db: Database): Promise<{ keyHash: Buffer; block: bigint }[]> {
  const found = await selectAllKeys(db);
  return found.flatMap(({ keyHash, block, source }) =>
    source === unproved && block !== null ? [{ keyHash, block }] : [],
  );
}

/** In place of the reason why a key is trusted. */
const unproved = 'unproved';

/** In the order in which blocks named them. A database of an earlier version has none. */
async function selectAllKeys(db: Database): Promise<RowOf<typeof ledgerKey>[]> {
  if (!(await canRead(db, 'ledger_key'))) return [];
  const from = 'from ledger_key order by coalesce(named_by, signs_from, -1), key_hash';
  return db.query(selectQuery({ name: 'select-ledger-keys', select: ledgerKey, from }));
}

async function selectFormer(db: Database) {
  if (!(await canRead(db, 'former_ledger'))) return [];
  const from = 'from former_ledger order by until_block';
  return db.query(selectQuery({ name: 'select-former-ledgers', select: formerLedger, from }));
}

/** `source`: what proves its block. `content`: the message; null: it is too large to be kept. */
export type UnreadPublication = {
  block: bigint;
  source: 'records' | 'signedBlock';
  reason: string;
  content: Buffer | null;
};

/** The newest publication of a ledger id that could not be read; null = none is, or a later one was read. */
export async function selectUnreadPublication(db: Database): Promise<UnreadPublication | null> {
  if (!(await canRead(db, 'unread_publication'))) return null;
  const found = await selectOne(db, {
    name: 'select-unread-publication',
    select: unreadPublication,
    from: 'from unread_publication where block is not null',
  });
  if (!found || found.block === null || found.reason === null) return null;
  const { block, reason, content } = found;
  return { block, reason, content, source: found.source === 'records' ? 'records' : 'signedBlock' };
}
