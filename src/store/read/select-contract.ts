// Contracts by id or EVM address: the current one with its code, or the newest version within a span of time; and a page of
// the current ones without their code.
import type { Range } from '../../kit/range.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import type { Database } from '../wire/database.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './columns.ts';
import type { VersionFilter } from './statement-parts.ts';
import { latestVersion, toLiteralLimit, toRangePart, toVersionValues, versionConditions } from './statement-parts.ts';

/** `file_content`: content of the bytecode file as it was at the contract's creation; null without such a file. */
export type ContractRow = RowOf<typeof contractRow>;

export type ContractReference = { kind: 'id'; id: bigint } | { kind: 'evmAddress'; address: Buffer };

/** Current contracts with this id or address, at most two (two = ambiguous). */
export function selectContracts(db: Database, reference: ContractReference): Promise<ContractRow[]> {
  const column = columnOf[reference.kind];
  return db.query(
    selectQuery({
      name: `select-contracts-by-${column}`,
      select: contractRow,
      from: `from entity e left join contract c on c.id = e.id
where e.${column} = $1 and e.type = 'CONTRACT' limit 2`,
      values: [toValue(reference)],
    }),
  );
}

export async function selectContractAt(
  db: Database,
  reference: ContractReference,
  filter: VersionFilter,
): Promise<ContractRow | null> {
  const column = columnOf[reference.kind];
  const condition = `${column} = $1 and type = 'CONTRACT'${versionConditions(2)}`;
  const query = selectQuery({
    name: `select-contract-at-by-${column}`,
    select: contractRow,
    from: `from ${latestVersion('entity', [...entityColumns, 'timestamp_range'], condition)} e
left join contract c on c.id = e.id`,
    values: [toValue(reference), ...toVersionValues(filter)],
  });
  return (await db.query(query))[0] ?? null;
}

/**
 * What lives at an EVM address and may hold code: contracts, and accounts, which can delegate to one. At most two, which
 * means ambiguous.
 */
export async function selectContractIds(db: Database, address: Buffer): Promise<bigint[]> {
  const query = selectQuery({
    name: 'select-contract-ids',
    select: columns('entity', ['id']),
    from: `from entity where evm_address = $1 and deleted <> true and type in ('ACCOUNT', 'CONTRACT') limit 2`,
    values: [address],
  });
  return (await db.query(query)).map(({ id }) => id);
}

export type ListedContractRow = RowOf<typeof listedContractRow>;

export type ContractsFilter = { id: Range; order: 'asc' | 'desc'; limit: number };

/** By id. */
export async function selectContractPage(
  db: Database,
  { id, order, limit: size }: ContractsFilter,
): Promise<ListedContractRow[]> {
  const limit = toLiteralLimit(size);
  const values: unknown[] = [];
  const part = toRangePart(id, values);
  const query = selectQuery({
    name: 'select-contract-page',
    shape: `${order}${limit}-${part.code}`,
    select: listedContractRow,
    from: `from (
  select ${[...entityColumns, 'timestamp_range'].join(', ')} from entity
  where type = 'CONTRACT'${part.sql('id')} order by id ${order} limit ${limit}
) e
left join lateral (select file_id from contract where id = e.id limit 1) c on true
order by e.id ${order}`,
    values,
  });
  return (await db.query(query)).slice(0, size);
}

const columnOf = { id: 'id', evmAddress: 'evm_address' } as const;

function toValue(reference: ContractReference): unknown {
  return reference.kind === 'id' ? reference.id : reference.address;
}

const entityColumns = [
  'auto_renew_account_id',
  'auto_renew_period',
  'created_timestamp',
  'deleted',
  'ethereum_nonce',
  'evm_address',
  'expiration_timestamp',
  'id',
  'key',
  'max_automatic_token_associations',
  'memo',
  'obtainer_id',
  'permanent_removal',
  'proxy_account_id',
] as const;

// Files up to number 1000 are the system's and never hold a contract. The number is the lowest 38 bits of the id.
// An update without content changes no bytes.
const fileContent = `case when c.file_id & 274877906943 > 1000 then (
    select string_agg(d.file_data, ''::bytea order by d.consensus_timestamp)
    from file_data d
    where d.entity_id = c.file_id and d.consensus_timestamp <= e.created_timestamp and d.consensus_timestamp >= (
      select b.consensus_timestamp from file_data b
      where b.entity_id = c.file_id and b.consensus_timestamp <= e.created_timestamp
        and (b.transaction_type = ${typeNumber.fileCreate} or (b.transaction_type = ${typeNumber.fileUpdate} and length(b.file_data) > 0))
      order by b.consensus_timestamp desc limit 1)
  ) end`;

const listedContractRow = selectAll(
  columns('entity', entityColumns, 'e'),
  expression('valid_from', 'int8', 'lower(e.timestamp_range)'),
  expression('valid_to', 'int8', 'upper(e.timestamp_range)').nullable(),
  columns('contract', ['file_id'], 'c').optional(),
);
const contractRow = selectAll(
  listedContractRow,
  columns('contract', ['initcode', 'runtime_bytecode'], 'c').optional(),
  expression('file_content', 'bytea', fileContent).nullable(),
);
