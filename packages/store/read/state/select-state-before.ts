// Values of the ledger's state just before a block: what blocks leave out where it did not change. At the head of the
// stream they are the newest ones; for a block that is imported once more they are counted back.
import type { Database } from '../../../postgres/wire/database.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from '../statement/columns.ts';
import { selectVersions, versionsOf } from './select-versions.ts';

const supply = columns('token', ['token_id', 'total_supply']);

/** By id. `before`: ns; null = now. Fungible tokens: by their transfers since. */
export async function selectSupplies(
  db: Database,
  tokens: readonly bigint[],
  before: bigint | null,
): Promise<Map<bigint, bigint>> {
  if (tokens.length === 0) return new Map();
  if (before !== null && db.isDistributed) return selectSuppliesFromMachines(db, tokens, before);
  const query =
    before === null
      ? { name: 'select-supplies-now', select: supply, values: [tokens] }
      : { name: 'select-supplies-before', select: supplyBefore, values: [tokens, before] };
  const rows = await db.query(selectQuery({ ...query, from: 'from token where token_id = any($1::int8[])' }));
  return new Map(rows.flatMap(({ tokenId, totalSupply }) => (totalSupply === null ? [] : [[tokenId, totalSupply]])));
}

const addedSerials = `count(*) filter (where created_timestamp >= $2)
      - count(*) filter (where deleted is true and lower(timestamp_range) >= $2)`;
const moved = 'coalesce(sum(amount), 0)';
const supplyBefore = selectAll(
  columns('token', ['token_id']),
  expression(
    'totalSupply',
    'int8',
    `(total_supply - case when type = 'NON_FUNGIBLE_UNIQUE' then (
    select ${addedSerials} from nft where nft.token_id = token.token_id
  ) else (
    select ${moved} from token_transfer t where t.token_id = token.token_id and consensus_timestamp >= $2
  ) end)::int8`,
  ).nullable(),
);

const typedSupply = columns('token', ['token_id', 'total_supply', 'type']);
const added = (table: 'nft' | 'token_transfer', amount: string) =>
  selectAll(columns(table, ['token_id']), expression('amount', 'int8', `(${amount})::int8`));

/** Transfers lie by who paid for them, and are asked by themselves. */
async function selectSuppliesFromMachines(db: Database, tokens: readonly bigint[], before: bigint) {
  const ofTokens = 'token_id = any($1::int8[])';
  const [rows, serials, transfers] = await Promise.all([
    db.query(
      selectQuery({
        ...{
          name: 'select-typed-supplies',
          select: typedSupply,
          from: `from token where ${ofTokens}`,
          values: [tokens],
        },
      }),
    ),
    db.query(
      selectQuery({
        name: 'select-serials-since',
        select: added('nft', addedSerials),
        from: `from nft where ${ofTokens} group by token_id`,
        values: [tokens, before],
      }),
    ),
    db.query(
      selectQuery({
        name: 'select-moved-since',
        select: added('token_transfer', moved),
        from: `from token_transfer where ${ofTokens} and consensus_timestamp >= $2 group by token_id`,
        values: [tokens, before],
      }),
    ),
  ]);
  const toAmounts = (found: typeof serials) => new Map(found.map(({ tokenId, amount }) => [tokenId, amount]));
  const [minted, sums] = [toAmounts(serials), toAmounts(transfers)];
  return new Map(
    rows.map(({ tokenId, totalSupply, type }) => {
      const since = (type === 'NON_FUNGIBLE_UNIQUE' ? minted : sums).get(tokenId) ?? 0n;
      return [tokenId, totalSupply - since];
    }),
  );
}

const names = columns('entity', ['id', 'alias', 'ethereum_nonce', 'evm_address']);

/**
 * Of those that were there before `before` (ns). Neither alias nor EVM address ever changes; the nonce is that of now.
 */
export function selectEntityNames(db: Database, ids: readonly bigint[], before: bigint) {
  return db.query(
    selectQuery({
      name: 'select-entity-names',
      select: names,
      from: 'from entity where id = any($1::int8[]) and (created_timestamp is null or created_timestamp < $2)',
      values: [ids, before],
    }),
  );
}

export type AirdropKey = { senderId: bigint; receiverId: bigint; tokenId: bigint; serialNumber: bigint };

const airdrop = versionsOf(
  'token_airdrop',
  ['amount', 'state'],
  ['sender_account_id', 'receiver_account_id', 'token_id', 'serial_number'],
);

/** By the place of the key. `until`: ns; null = now. */
export function selectAirdropVersions(db: Database, keys: readonly AirdropKey[], until: bigint | null) {
  return selectVersions(db, {
    name: 'select-airdrop-versions',
    sources: [airdrop],
    select: airdrop.select,
    keys: keys.map(({ senderId, receiverId, tokenId, serialNumber }) => [senderId, receiverId, tokenId, serialNumber]),
    until,
  });
}

export type HookSlotKey = { ownerId: bigint; hookId: bigint /** 32 bytes. */; key: Buffer };

const hookSlot = selectAll(
  columns('hook_storage_change', ['owner_id', 'hook_id', 'key', 'consensus_timestamp', 'deleted']),
  expression('value', 'bytea', 'coalesce(value_written, value_read)'),
);

/** The newest change before `before` (ns). */
export async function selectHookSlotBefore(db: Database, { ownerId, hookId, key }: HookSlotKey, before: bigint) {
  const query = {
    name: 'select-hook-slot-before',
    select: hookSlot,
    from: `from hook_storage_change where owner_id = $1 and hook_id = $2 and key = $3 and consensus_timestamp < $4
order by consensus_timestamp desc limit 1`,
    values: [ownerId, hookId, key, before],
  };
  return (await db.query(selectQuery(query)))[0] ?? null;
}

const openingSlot = columns('contract_state', ['contract_id', 'slot', 'value']);

/** A change stores a slot without leading zeros, zero also as one byte. */
const ofSlot = `c.contract_id = s.contract_id
    and c.slot in (s.slot, ltrim(s.slot, '\\x00'), case when ltrim(s.slot, '\\x00') = '' then '\\x00'::bytea end)`;

const openingSlotBefore = selectAll(
  columns('contract_state', ['contract_id', 'slot'], 's'),
  expression(
    'value',
    'bytea',
    `case when modified_timestamp < $3 then value else (
    select value_read from contract_state_change c
    where ${ofSlot} and c.consensus_timestamp >= $3 order by c.consensus_timestamp limit 1
  ) end`,
  ).nullable(),
);

/**
 * Slots of the ledger's opening state, of which no transaction before tells: their values, or what the first
 * transaction since has read. `slots`: 32 bytes each.
 */
export async function selectUnchangedSlots(
  db: Database,
  slots: readonly { contractId: bigint; slot: Buffer }[],
  before: bigint,
): Promise<RowOf<typeof openingSlot>[]> {
  return db.query(
    selectQuery({
      name: 'select-unchanged-slots',
      select: openingSlotBefore,
      from: `from contract_state s
where contract_id = any($1::int8[]) and slot = any($2::bytea[]) and created_timestamp < $3`,
      values: [slots.map(({ contractId }) => contractId), slots.map(({ slot }) => slot), before],
    }),
  );
}
