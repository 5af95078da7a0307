// What most views of a token need, in one statement: the token, and an account with what it has of it. Of now, on
// one machine.
import type { Database } from '../../../postgres/wire/database.ts';
import { selectOne } from '../select-one.ts';
import { columns, type RowOf, selectAll } from '../statement/columns.ts';
import { tokenRow } from './select-state-tokens.ts';

const tokenAlone = selectAll(
  tokenRow,
  columns('entity', { token_address: 'evm_address', token_entity_type: 'type' }, 'entity'),
);
const relation = columns(
  'token_account',
  {
    relation_associated: 'associated',
    relation_automatic: 'automatic_association',
    relation_balance: 'balance',
    relation_freeze_status: 'freeze_status',
    relation_kyc_status: 'kyc_status',
  },
  'relation',
);
const holder = columns(
  'entity',
  {
    holder_balance: 'balance',
    holder_delegation_address: 'delegation_address',
    holder_deleted: 'deleted',
    holder_ethereum_nonce: 'ethereum_nonce',
    holder_evm_address: 'evm_address',
    holder_id: 'id',
    holder_receiver_sig_required: 'receiver_sig_required',
    holder_type: 'type',
  },
  'holder',
);
const holderAlone = selectAll(relation.optional(), holder.optional());
/** Without a relation, or an entity, the members of it are null. */
export type TokenHolderRow = RowOf<typeof holderAlone>;
const withHolder = selectAll(tokenAlone, holderAlone);
export type TokenViewRow = RowOf<typeof tokenAlone> & Partial<TokenHolderRow>;

const from = `from token
join entity on entity.id = token.token_id
left join custom_fee on custom_fee.entity_id = token.token_id`;

const ofHolder = `left join token_account relation on relation.token_id = $1::int8 and relation.account_id = $2::int8
left join entity holder on holder.id = $2::int8`;

/** `account`: null = of no account. null = there is no such token. */
export function selectTokenView(db: Database, token: bigint, account: bigint | null): Promise<TokenViewRow | null> {
  if (account === null) {
    const where = 'where token.token_id = $1 limit 1';
    return selectOne(db, { name: 'select-token-view', select: tokenAlone, from: `${from}\n${where}`, values: [token] });
  }
  return selectOne(db, {
    name: 'select-token-view',
    shape: 'holder',
    select: withHolder,
    from: `${from}
${ofHolder}
where token.token_id = $1 limit 1`,
    values: [token, account],
  });
}

export async function selectTokenHolder(db: Database, token: bigint, account: bigint): Promise<TokenHolderRow> {
  const from = `from (select 1) a\n${ofHolder}`;
  const values = [token, account];
  return (await selectOne(db, { name: 'select-token-view', shape: 'alone', select: holderAlone, from, values }))!;
}
