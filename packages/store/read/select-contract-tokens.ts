// Tokens that contracts keep: what they say of themselves, and what their transfers add up to. Amounts have up to 78
// digits and more, and are read as texts.
import type { Database } from '../../postgres/wire/database.ts';
import { isToBeJudged } from '../../schema/contract-token-tables.ts';
import { selectOne } from './select-one.ts';
import { expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

const contractToken = selectAll(
  expression('contractId', 'int8', 't.contract_id'),
  expression('standard', 'text', 't.standard'),
  expression('name', 'text', 't.name').nullable(),
  expression('symbol', 'text', 't.symbol').nullable(),
  expression('decimals', 'int4', 't.decimals').nullable(),
  expression('totalSupply', 'text', 't.total_supply::text').nullable(),
  expression('transfers', 'int8', 't.transfers'),
  expression('holders', 'int8', 't.holders'),
  expression('firstTimestamp', 'int8', 't.first_timestamp'),
  expression('lastTimestamp', 'int8', 't.last_timestamp'),
  expression('isPartial', 'bool', 't.is_partial'),
  expression(
    'isBehind',
    'bool',
    'coalesce(t.summed_timestamp < (select consensus_timestamp from contract_token_progress), false)',
  ),
);
export type ContractTokenRow = RowOf<typeof contractToken>;

/** null = it is none, as far as the logs are summed up. */
export function selectContractToken(db: Database, contractId: bigint): Promise<ContractTokenRow | null> {
  return selectOne(db, {
    name: 'select-contract-token',
    select: contractToken,
    from: 'from contract_token t where t.contract_id = $1 and t.standard is not null',
    values: [contractId],
  });
}

/** A place in the list by number of transfers, or, with null, in that by id. */
export type TokenPlace = { transfers: bigint | null; contractId: bigint };

/** The most transferred first, or the newest. `after`: null = from the beginning. */
export function selectContractTokens(
  db: Database,
  { standard, by, after, limit }: { standard: string; by: 'transfers' | 'id'; after: TokenPlace | null; limit: number },
): Promise<ContractTokenRow[]> {
  const key = by === 'id' ? 't.contract_id' : 't.transfers, t.contract_id';
  const order = key.replaceAll(/\w+\.\w+/g, '$& desc');
  const values: unknown[] = [standard, limit];
  let behind = '';
  if (after) {
    if (by === 'transfers') behind = ` and (${key}) < ($${values.push(after.transfers)}::int8, `;
    else behind = ' and (t.contract_id) < (';
    behind += `$${values.push(after.contractId)}::int8)`;
  }
  return db.query(
    selectQuery({
      name: 'select-contract-tokens',
      shape: `${by}${after ? '-after' : ''}`,
      select: contractToken,
      from: `from contract_token t where t.standard = $1${behind} order by ${order} limit $2`,
      values,
    }),
  );
}

/** Of a symbol, in any case. */
export function selectContractTokensOfSymbol(db: Database, symbol: string, limit: number): Promise<ContractTokenRow[]> {
  return db.query(
    selectQuery({
      name: 'select-contract-tokens-of-symbol',
      select: contractToken,
      from: `from contract_token t where t.standard is not null and left(lower(t.symbol), 100) = left(lower($1), 100)
order by left(lower(t.symbol), 100), t.contract_id limit $2`,
      values: [symbol, limit],
    }),
  );
}

/** Of each standard, the most transferred ones: no index finds a part of a name. */
const maxSearched = 800;

/** `part`: of the name, as a pattern; looked for among the most transferred. `standards`: all that there are. */
export function selectContractTokensByName(
  db: Database,
  { part, standards, limit }: { part: string; standards: readonly string[]; limit: number },
): Promise<ContractTokenRow[]> {
  const ofStandard = `select * from contract_token where standard = s.standard
  order by standard, transfers desc, contract_id desc limit ${maxSearched}`;
  return db.query(
    selectQuery({
      name: 'select-contract-tokens-by-name',
      select: contractToken,
      from: `from unnest($1::text[]) s (standard) cross join lateral (${ofStandard}) t
where t.name ilike $2 order by t.contract_id limit $3`,
      values: [standards, `%${part}%`, limit],
    }),
  );
}

const holder = selectAll(expression('account', 'bytea', 'h.account'), expression('amount', 'text', 'h.amount::text'));

/** Who has most first; `after`: the amount and account of the last one of the page before. */
export function selectContractTokenHolders(
  db: Database,
  {
    contractId,
    after,
    limit,
  }: { contractId: bigint; after: { amount: bigint; account: Buffer } | null; limit: number },
): Promise<RowOf<typeof holder>[]> {
  const behind = after && ` and (h.amount < $3::text::numeric or (h.amount = $3::text::numeric and h.account > $4))`;
  return db.query(
    selectQuery({
      name: 'select-contract-token-holders',
      shape: after ? 'after' : '',
      select: holder,
      from: `from contract_token_holder h where h.contract_id = $1 and h.amount > 0${behind ?? ''}
order by h.amount desc, h.account limit $2`,
      values: [contractId, limit, ...(after ? [after.amount.toString(), after.account] : [])],
    }),
  );
}

const serial = selectAll(
  expression('serialNumber', 'text', 's.serial_number::text'),
  expression('account', 'bytea', 's.account'),
  expression('amount', 'text', 's.amount::text'),
  expression('modifiedTimestamp', 'int8', 's.modified_timestamp'),
);
export type ContractTokenSerialRow = RowOf<typeof serial>;

/** A place in the list of units. */
export type SerialPlace = { serialNumber: bigint; account: Buffer };

/** Units by serial number and owner; `after`: the last one of the page before. */
export function selectContractTokenSerials(
  db: Database,
  { contractId, after, limit }: { contractId: bigint; after: SerialPlace | null; limit: number },
): Promise<ContractTokenSerialRow[]> {
  const behind = after === null ? '' : ' and (s.serial_number, s.account) > ($3::text::numeric, $4)';
  return db.query(
    selectQuery({
      name: 'select-contract-token-serials',
      shape: after ? 'after' : '',
      select: serial,
      from: `from contract_token_serial s where s.contract_id = $1 and s.amount > 0${behind}
order by s.serial_number, s.account limit $2`,
      values: [contractId, limit, ...(after ? [after.serialNumber.toString(), after.account] : [])],
    }),
  );
}

/** Who has units of one serial number. */
export function selectOwnersOfSerial(
  db: Database,
  { contractId, serialNumber, limit }: { contractId: bigint; serialNumber: bigint; limit: number },
): Promise<ContractTokenSerialRow[]> {
  return db.query(
    selectQuery({
      name: 'select-owners-of-contract-serial',
      select: serial,
      from: `from contract_token_serial s where s.contract_id = $1 and s.serial_number = $2::text::numeric and s.amount > 0
order by s.account limit $3`,
      values: [contractId, serialNumber.toString(), limit],
    }),
  );
}

const holding = selectAll(contractToken, expression('amount', 'text', 'h.amount::text'));

/** What addresses have of tokens of contracts, by contract; `after`: the last contract of the page before. */
export function selectContractTokenHoldings(
  db: Database,
  { accounts, after, limit }: { accounts: readonly Buffer[]; after: bigint; limit: number },
): Promise<RowOf<typeof holding>[]> {
  const sums = `select contract_id, sum(amount) as amount from contract_token_holder
where account = any($1::bytea[]) and contract_id > $2 and amount > 0 group by contract_id order by contract_id limit $3`;
  return db.query(
    selectQuery({
      name: 'select-contract-token-holdings',
      select: holding,
      from: `from (${sums}) h join contract_token t on t.contract_id = h.contract_id order by t.contract_id`,
      values: [accounts, after, limit],
    }),
  );
}

/** Up to which consensus time transfers are summed up; null = none is. */
export async function selectTokenProgress(db: Database): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-token-progress',
    select: expression('until', 'int8', 'consensus_timestamp'),
    from: 'from contract_token_progress',
  });
  return found?.until ?? null;
}

const known = selectAll(
  expression('contractId', 'int8', 'contract_id'),
  expression('standard', 'text', 'case when coalesce(summed_timestamp, $2) = $2 then standard end').nullable(),
);

/**
 * The standard of each contract that logged transfers before; null = it is no token, or was found to be one late and
 * its own transfers are not added up to `after`, as those of all are.
 */
export async function selectKnownStandards(
  db: Database,
  { contractIds, after }: { contractIds: readonly bigint[]; after: bigint },
): Promise<Map<bigint, string | null>> {
  const query = selectQuery({
    name: 'select-known-token-standards',
    select: known,
    from: 'from contract_token where contract_id = any($1::int8[])',
    values: [contractIds, after],
  });
  return new Map((await db.query(query)).map(({ contractId, standard }) => [contractId, standard]));
}

const ofHolder = selectAll(
  expression('contractId', 'int8', 's.contract_id'),
  expression('account', 'bytea', 's.account'),
  expression('amount', 'text', 's.amount::text'),
);

/** Stored amounts of the named holders; those that are missing have none. */
export function selectHolderAmounts(
  db: Database,
  holders: readonly { contractId: bigint; account: Buffer }[],
): Promise<RowOf<typeof ofHolder>[]> {
  return db.query(
    selectQuery({
      name: 'select-token-holder-amounts',
      select: ofHolder,
      from: `from unnest($1::int8[], $2::bytea[]) given (contract_id, account)
join contract_token_holder s on s.contract_id = given.contract_id and s.account = given.account`,
      values: [holders.map(({ contractId }) => contractId), holders.map(({ account }) => account)],
    }),
  );
}

const ofSerial = selectAll(ofHolder, expression('serialNumber', 'text', 's.serial_number::text'));

export function selectSerialAmounts(
  db: Database,
  serials: readonly { contractId: bigint; account: Buffer; serialNumber: bigint }[],
): Promise<RowOf<typeof ofSerial>[]> {
  return db.query(
    selectQuery({
      name: 'select-token-serial-amounts',
      select: ofSerial,
      from: `from unnest($1::int8[], $2::bytea[], $3::text[]::numeric[]) given (contract_id, account, serial_number)
join contract_token_serial s on s.contract_id = given.contract_id and s.account = given.account
  and s.serial_number = given.serial_number`,
      values: [
        serials.map(({ contractId }) => contractId),
        serials.map(({ account }) => account),
        serials.map(({ serialNumber }) => serialNumber.toString()),
      ],
    }),
  );
}

const due = selectAll(
  expression('contractId', 'int8', 't.contract_id'),
  expression('standard', 'text', 't.standard'),
  expression('lastTimestamp', 'int8', 't.last_timestamp'),
);

/** Tokens that had transfers since they were asked, if that was before a time. */
export function selectTokensToAsk(db: Database, askedBefore: bigint, limit: number): Promise<RowOf<typeof due>[]> {
  return db.query(
    selectQuery({
      name: 'select-tokens-to-ask',
      select: due,
      from: `from contract_token t where t.standard is not null and t.asked_timestamp is distinct from t.last_timestamp
and (t.asked_timestamp is null or t.asked_timestamp < $1) order by t.last_timestamp limit $2`,
      values: [askedBefore, limit],
    }),
  );
}

const toJudge = selectAll(
  expression('contractId', 'int8', 't.contract_id'),
  expression('firstTimestamp', 'int8', 't.first_timestamp'),
  expression('lastTimestamp', 'int8', 't.last_timestamp'),
  expression('askedTimestamp', 'int8', 't.asked_timestamp').nullable(),
);

type ToJudgeOptions = { limit: number; without: readonly bigint[] };

/** Contracts that log transfers and were no tokens so far, whose turn it is to be looked at again. */
export function selectTokensToJudge(
  db: Database,
  { limit, without }: ToJudgeOptions,
): Promise<RowOf<typeof toJudge>[]> {
  return db.query(
    selectQuery({
      name: 'select-tokens-to-judge',
      select: toJudge,
      from: `from contract_token t where ${isToBeJudged} and t.contract_id <> all ($2::int8[])
order by t.last_timestamp, t.contract_id limit $1`,
      values: [limit, without],
    }),
  );
}

const behind = selectAll(
  expression('contractId', 'int8', 't.contract_id'),
  expression('standard', 'text', 't.standard'),
  expression('summedTimestamp', 'int8', 't.summed_timestamp'),
);

/** The token whose own transfers are added up least far, if that is before `until`; null = there is none. */
export function selectTokenBehind(db: Database, until: bigint): Promise<RowOf<typeof behind> | null> {
  return selectOne(db, {
    name: 'select-token-behind',
    select: behind,
    from: `from contract_token t where t.summed_timestamp is not null and t.summed_timestamp < $1
order by t.summed_timestamp limit 1`,
    values: [until],
  });
}
