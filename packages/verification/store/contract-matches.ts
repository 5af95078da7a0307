// Which sources each contract of the ledger has, and how far the search for them went. Rows and progress are written by
// one statement, so that a kill neither misses nor repeats any.
import type { Database } from '../../postgres/wire/database.ts';

export type MatchKind =
  /** Its sources were named by an explorer or a request. */
  | 'checked'
  /** Its code is that of another contract, byte for byte. */
  | 'same_code'
  /** The same but for immutables, libraries or metadata; compared with the compilation. */
  | 'similar'
  /** It was compiled along with another contract, as what a factory makes; compiled again and compared. */
  | 'compiled_along'
  /** It forwards every call to a contract that has sources (EIP-1167). */
  | 'minimal_proxy';

export type ContractMatchRow = {
  contractId: bigint;
  address: Buffer;
  /** SHA-256 of its code; null = unknown. */
  codeHash: Buffer | null;
  shapeHash: Buffer | null;
  /** null = there are no sources. */
  kind: MatchKind | null;
  /** Of the verified contract that has the sources. */
  matchedChainId: bigint | null;
  matchedAddress: Buffer | null;
  /** Rows of earlier versions also have proxies whose implementation lies in storage; they are not read. */
  implementationKind: 'eip1167' | null;
  implementationAddress: Buffer | null;
  /** null = no contract of the ledger. */
  implementationId: bigint | null;
};

export type MatchTask = {
  /**
   * `match`: contracts that a new match of that id may fit. `behind`: minimal proxies of that contract. `newest`:
   * contracts with higher ids. `sweep`: all others, downwards.
   */
  kind: 'match' | 'behind' | 'newest' | 'sweep';
  subject: bigint;
  /** Contract id up to which it is done. */
  position: bigint;
};

const columns = `contract_id, address, code_hash, shape_hash, kind, matched_chain_id, matched_address,
  implementation_kind, implementation_address, implementation_id`;

/** One of its addresses, long-zero or EVM, may be asked for. `contractId`: if the address is a long-zero address. */
export async function selectContractMatch(
  db: Database,
  asked: { address: Buffer; contractId: bigint | null },
): Promise<ContractMatchRow | null> {
  const rows = await db.query<ContractMatchRow>({
    name: 'select-contract-match',
    reads: true,
    text: `select ${columns} from contract_match where address = $1 or contract_id = $2
order by (address = $1) desc, contract_id desc limit 1`,
    values: [asked.address, asked.contractId],
  });
  return rows[0] ?? null;
}

/** By kind; the empty kind stands for none. */
export function selectMatchCounts(db: Database): Promise<{ kind: MatchKind | ''; contracts: bigint }[]> {
  return db.query({
    name: 'select-contract-match-counts',
    reads: true,
    text: 'select kind, contracts from contract_match_count order by kind',
  });
}

/** The most urgent one; null = there is none. */
export async function selectMatchTask(db: Database): Promise<MatchTask | null> {
  const rows = await db.query<MatchTask>({
    name: 'select-contract-match-task',
    reads: true,
    text: `select kind, subject, position from contract_match_task where kind in ('match', 'behind')
order by subject, kind limit 1`,
  });
  return rows[0] ?? null;
}

export async function selectMatchProgress(db: Database, kind: MatchTask['kind']): Promise<MatchTask | null> {
  const rows = await db.query<MatchTask>({
    name: 'select-contract-match-progress',
    reads: true,
    text: 'select kind, subject, position from contract_match_task where kind = $1 and subject = 0',
    values: [kind],
  });
  return rows[0] ?? null;
}

/** Ids in order, after the position of the task. */
export async function selectIdsOfTask(db: Database, task: MatchTask, limit: number): Promise<bigint[]> {
  const condition =
    task.kind === 'behind'
      ? 'implementation_id = $1'
      : `(code_hash = (select onchain_runtime_code_hash from verified_contract where id = $1)
    or address = (select address from verified_contract where id = $1)
    or shape_hash in (
      select s.shape_hash from verified_contract v join verification_code_shape s on s.compilation_id = v.compilation_id
      where v.id = $1))`;
  const rows = await db.query<{ contractId: bigint }>({
    name: 'select-contracts-to-match-again',
    reads: true,
    shape: task.kind,
    text: `select contract_id from contract_match
where ${condition} and contract_id > $2 order by contract_id limit $3`,
    values: [task.subject, task.position, limit],
  });
  return rows.map(({ contractId }) => contractId);
}

/** Progress as it is to be stored; `position` null = the task is done. */
export type MatchProgress = Omit<MatchTask, 'position'> & { position: bigint | null };

/** Rows of other contracts that depend on changed ones become tasks. */
export async function storeMatches(
  db: Database,
  rows: readonly ContractMatchRow[],
  { kind, subject, position }: MatchProgress,
): Promise<void> {
  const column = <K extends keyof ContractMatchRow>(name: K) => rows.map((row) => row[name]);
  await db.query({
    name: 'store-contract-matches',
    shape: position === null ? 'done' : 'on',
    text: position === null ? withProgress(taskDone) : withProgress(taskMoved),
    values: [
      column('contractId'),
      column('address'),
      column('codeHash'),
      column('shapeHash'),
      column('kind'),
      column('matchedChainId'),
      column('matchedAddress'),
      column('implementationKind'),
      column('implementationAddress'),
      column('implementationId'),
      kind,
      subject,
      ...(position === null ? [] : [position]),
    ],
  });
}

const taskDone = 'delete from contract_match_task where kind = $11 and subject = $12';
const taskMoved = `insert into contract_match_task (kind, subject, position) values ($11, $12, $13)
  on conflict (kind, subject) do update set position = excluded.position`;

const withProgress = (progress: string): string => `with given as (
  select * from unnest($1::int8[], $2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::int8[], $7::bytea[], $8::text[],
    $9::bytea[], $10::int8[]) as given (${columns})
), old as (
  select contract_id, kind, matched_chain_id, matched_address from contract_match where contract_id = any($1)
), stored as (
  insert into contract_match (${columns}) select ${columns} from given
  on conflict (contract_id) do update set address = excluded.address, code_hash = excluded.code_hash,
    shape_hash = excluded.shape_hash, kind = excluded.kind, matched_chain_id = excluded.matched_chain_id,
    matched_address = excluded.matched_address, implementation_kind = excluded.implementation_kind,
    implementation_address = excluded.implementation_address, implementation_id = excluded.implementation_id,
    checked_at = now()
), counted as (
  insert into contract_match_count as c (kind, contracts)
  select coalesce(kind, ''), sum(change) from (
    select kind, 1 as change from given union all select kind, -1 from old) changes
  group by 1 having sum(change) <> 0 order by 1
  on conflict (kind) do update set contracts = c.contracts + excluded.contracts
), behind as (
  insert into contract_match_task (kind, subject, position)
  select 'behind', g.contract_id, 0 from given g left join old o using (contract_id)
  where (g.kind, g.matched_chain_id, g.matched_address) is distinct from (o.kind, o.matched_chain_id, o.matched_address)
    and exists (select from contract_match p where p.implementation_id = g.contract_id and p.contract_id <> all($1))
  on conflict (kind, subject) do update set position = 0
)
${progress}`;
