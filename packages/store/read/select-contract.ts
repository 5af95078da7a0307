// Contracts by id or EVM address: the current one with its code, or the newest version within a time span; and a page
// of current contracts without their code.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { addFound } from './distributed/look-up.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';
import {
  latestVersion,
  toLiteralLimit,
  toRangePart,
  toVersionValues,
  type VersionFilter,
  versionConditions,
} from './statement/statement-parts.ts';

/** `file_content`: content of the bytecode file at the contract's creation; null without such a file. */
export type ContractRow = RowOf<typeof contractRow>;

export type ContractReference = { kind: 'id'; id: bigint } | { kind: 'evmAddress'; address: Buffer };

/** Current contracts with this id or address, at most two (two = ambiguous). */
export async function selectContracts(db: Database, reference: ContractReference): Promise<ContractRow[]> {
  const column = columnOf[reference.kind];
  const query = {
    name: `select-contracts-by-${column}`,
    // An id is unique; a `limit` would add a twentieth to the statement's cost in PostgreSQL.
    from: `from entity e left join contract c on c.id = e.id
where e.${column} = $1 and e.type = 'CONTRACT'${reference.kind === 'id' ? '' : ' limit 2'}`,
    values: [toValue(reference)],
  };
  return db.isDistributed
    ? withFileContents(db, await db.query(selectQuery({ ...query, select: storedContract })))
    : db.query(selectQuery({ ...query, select: contractRow }));
}

export type CreationCodeRow = RowOf<typeof creationCodeRow>;

/** What created each of these contracts, in one question. */
export async function selectCreationCodes(db: Database, ids: readonly bigint[]): Promise<CreationCodeRow[]> {
  if (ids.length === 0) return [];
  const query = {
    name: 'select-creation-codes',
    from: `from entity e left join contract c on c.id = e.id where e.id = any($1::int8[]) and e.type = 'CONTRACT'`,
    values: [ids],
  };
  return db.isDistributed
    ? withFileContents(db, await db.query(selectQuery({ ...query, select: storedCreation })))
    : db.query(selectQuery({ ...query, select: creationCodeRow }));
}

export async function selectContractAt(
  db: Database,
  reference: ContractReference,
  filter: VersionFilter,
): Promise<ContractRow | null> {
  const column = columnOf[reference.kind];
  const condition = `${column} = $1 and type = 'CONTRACT'${versionConditions(2)}`;
  const query = {
    name: `select-contract-at-by-${column}`,
    from: `from ${latestVersion('entity', entityColumns, condition)} e`,
    values: [toValue(reference), ...toVersionValues(filter)],
  };
  if (db.isDistributed) {
    const versions = await addFound(db, await db.query(selectQuery({ ...query, select: contractVersion })), {
      name: 'find-contracts',
      table: 'contract c',
      select: selectAll(fileOfContract, codeOfContract),
      keys: [['id', (row) => row.contractId]],
    });
    return (await withFileContents(db, versions))[0] ?? null;
  }
  const from = `${query.from}
left join contract c on c.id = e.id`;
  return (await db.query(selectQuery({ ...query, select: contractRow, from })))[0] ?? null;
}

/**
 * Entities at an EVM address that may hold code: contracts, and accounts, which can delegate to one. At most two; two =
 * ambiguous.
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
    from: db.isDistributed
      ? `from entity e left join contract c on c.id = e.id
where e.type = 'CONTRACT'${part.sql('e.id')} order by e.id ${order} limit ${limit}`
      : `from (
  select ${entityColumns.join(', ')} from entity
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

const ofEntity = {
  admin_key: 'key',
  auto_renew_account: 'auto_renew_account_id',
  auto_renew_period: 'auto_renew_period',
  contract_id: 'id',
  created_timestamp: 'created_timestamp',
  deleted: 'deleted',
  evm_address: 'evm_address',
  expiration_timestamp: 'expiration_timestamp',
  max_automatic_token_associations: 'max_automatic_token_associations',
  memo: 'memo',
  nonce: 'ethereum_nonce',
  obtainer_id: 'obtainer_id',
  permanent_removal: 'permanent_removal',
  proxy_account_id: 'proxy_account_id',
  timestamp: 'timestamp_range',
} as const;
const entityColumns = Object.values(ofEntity);

/** SQL: the bytes of a file at a moment. An update without content changes no bytes. */
const contentOf = (file: string, moment: string) => `
    select string_agg(d.file_data, ''::bytea order by d.consensus_timestamp)
    from file_data d
    where d.entity_id = ${file} and d.consensus_timestamp <= ${moment} and d.consensus_timestamp >= (
      select b.consensus_timestamp from file_data b
      where b.entity_id = ${file} and b.consensus_timestamp <= ${moment}
        and (b.transaction_type = ${typeNumber.fileCreate} or (b.transaction_type = ${typeNumber.fileUpdate} and length(b.file_data) > 0))
      order by b.consensus_timestamp desc limit 1)
  `;

// Files up to number 1000 are system files and never hold a contract. The number is the lowest 38 bits of the id.
const numberBits = 274_877_906_943n;
const lastSystemFile = 1000n;
const fileContent = `case when c.file_id & ${numberBits} > ${lastSystemFile} then (${contentOf('c.file_id', 'e.created_timestamp')}) end`;

/** Adds each contract's file content, in a distributed database. */
async function withFileContents<Row extends RowOf<typeof storedCreation>>(
  db: Database,
  rows: readonly Row[],
): Promise<(Row & Pick<ContractRow, 'fileContent'>)[]> {
  const content = async ({ fileId: file, createdTimestamp: moment }: Row) => {
    if (file === null || (file & numberBits) <= lastSystemFile) return null;
    const select = expression('file_content', 'bytea', `(${contentOf('$1', '$2')})`).nullable();
    const found = await db.query(selectQuery({ name: 'select-code-file', select, values: [file, moment] }));
    return found[0]!.fileContent;
  };
  return Promise.all(rows.map(async (row) => ({ ...row, fileContent: await content(row) })));
}

const contractVersion = columns('entity', ofEntity, 'e');
const fileOfContract = columns('contract', ['file_id'], 'c');
const codeOfContract = columns('contract', ['initcode', 'runtime_bytecode'], 'c');
const listedContractRow = selectAll(contractVersion, fileOfContract.optional());
const storedContract = selectAll(listedContractRow, codeOfContract.optional());
const withFileContent = expression('file_content', 'bytea', fileContent).nullable();
const contractRow = selectAll(storedContract, withFileContent);
const storedCreation = selectAll(
  columns('entity', { contract_id: 'id', created_timestamp: 'created_timestamp' }, 'e'),
  columns('contract', ['file_id', 'initcode'], 'c').optional(),
);
const creationCodeRow = selectAll(storedCreation, withFileContent);
