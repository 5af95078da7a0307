// A simulated network whose contract transactions are run again from the store, each at its place. Counts what they
// were, and says of each that was different, or that was not run for no good reason.

import { gunzipSync } from 'node:zlib';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { responseCodeName } from '../../packages/protocol/hapi/response-codes.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { openImported } from '../../packages/test-support/ledgers/open-imported.ts';
import type { SimulatedStreamOptions } from '../../packages/test-support/streams/simulated-stream.ts';
import { type Calls, createCalls, type TraceAnswer } from '../../src/calls/create-calls.ts';
import { undoneStatus } from '../../src/calls/rerun/compare-run.ts';
import type { TracedRun } from '../../src/calls/thread/job.ts';
import type { ContractResultDetail } from '../../src/ledger/contracts/create-contract-results.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

export const simulatedChainId = 298n;

export type Reruns = {
  /** Run again, all equal. */
  equal: number;
  /** Refused by the network before they ran, by status. */
  refused: Record<string, number>;
  /** How many were, or did, what the name says. */
  kinds: Record<string, number>;
  /** One line each. */
  different: string[];
};

export type RerunWorld = { db: Database; calls: Calls; ledger: Ledger };

export type Equal = { result: ContractResultDetail; run: TracedRun; kinds: Kinds };

/** `onEqual`: with each that was run again. */
export async function rerunNetwork(
  options: SimulatedStreamOptions,
  onEqual: (equal: Equal, world: RerunWorld) => Promise<void> = async () => undefined,
): Promise<Reruns> {
  const imported = await openImported(options);
  const scratch = await imported.openDatabase();
  const db = openDatabase(scratch);
  const calls = createCalls({ db, system: usualRealm, network: { chainId: simulatedChainId } });
  try {
    const ledger = createLedger({ db, system: usualRealm, clock: () => 2n ** 62n });
    return await rerunAll({ db, calls, ledger }, onEqual);
  } finally {
    await calls.close();
    await db.close();
    await scratch.close();
  }
}

async function rerunAll(world: RerunWorld, onEqual: NonNullable<Parameters<typeof rerunNetwork>[1]>): Promise<Reruns> {
  const { db, calls, ledger } = world;
  const rows = await db.query<{ at: bigint }>({
    name: 'results',
    text: `select consensus_timestamp as at from contract_result where transaction_nonce = 0 order by consensus_timestamp`,
  });
  const kindsAt = await selectKinds(db);
  const reruns: Reruns = { equal: 0, refused: {}, kinds: {}, different: [] };
  for (const { at } of rows) {
    const result = (await ledger.contractResults.findAt(at, { contractId: null, synthetic: false }))!;
    const answer = await calls.trace(result, { stack: false, memory: false, storage: false });
    const status = responseCodeName(result.transactionResult);
    const wrong = judge(result, answer, status);
    if (wrong !== null) reruns.different.push(`${at} ${status}: ${wrong}`);
    else if (answer.kind === 'notRun') {
      await checkReason(db, result, `${status}`);
      reruns.refused[`${status}`] = (reruns.refused[`${status}`] ?? 0) + 1;
    } else {
      reruns.equal += 1;
      const kinds = kindsOf(result, kindsAt.get(at) ?? []);
      for (const kind of kinds) reruns.kinds[kind] = (reruns.kinds[kind] ?? 0) + 1;
      if (answer.kind === 'traced') await onEqual({ result, run: answer.run, kinds }, world);
    }
  }
  return reruns;
}

/** null: as the ledger says. */
function judge(result: ContractResultDetail, answer: TraceAnswer, status: string): string | null {
  if (answer.kind === 'notRun') return null;
  if (answer.kind !== 'traced') return answer.kind;
  if (answer.differences.length > 0) {
    const { status: run, gasConsumed } = answer.run;
    return `${answer.differences.join()}; the run: ${run}, ${gasConsumed} gas; the ledger: ${result.gasConsumed} gas`;
  }
  const body = JSON.parse(gunzipSync(answer.body).toString()) as { failed: boolean; gas: number };
  if (body.failed !== (status !== 'SUCCESS' && status !== undoneStatus)) return `failed is ${body.failed}`;
  return body.gas === answer.run.gasConsumed ? null : `gas is ${body.gas}`;
}

/** Throws where the tables say that the network ran it, or could have. */
async function checkReason(
  db: Database,
  { consensusTimestamp, nonce, senderId }: ContractResultDetail,
  status: string,
) {
  const [found] = await db.query<{ actions: bigint; own: bigint | null; delegates: boolean | null }>({
    name: 'reason',
    text: `select (select count(*) from contract_action where consensus_timestamp = $1) as actions,
  (select ethereum_nonce from (
    select ethereum_nonce, timestamp_range from entity where id = $2
    union all select ethereum_nonce, timestamp_range from entity_history where id = $2
  ) e where timestamp_range @> $1::int8 limit 1) as own,
  (select delegation_address is not null from entity where id = $2) as delegates`,
    values: [consensusTimestamp, senderId ?? 0n],
  });
  const { actions, own, delegates } = found!;
  if (actions > 0n) throw new Error(`${consensusTimestamp} was not run, but has actions`);
  if (status === 'WRONG_NONCE' && own === nonce && !delegates)
    throw new Error(`${consensusTimestamp} has the right nonce`);
}

type Kinds = readonly string[];

/** By consensus timestamp: what each transaction did, as actions, logs and slots say. */
async function selectKinds(db: Database): Promise<ReadonlyMap<bigint, Kinds>> {
  const rows = await db.query<{ at: bigint; kind: string }>({
    name: 'kinds',
    text: `select consensus_timestamp as at, kind from (
  select consensus_timestamp, 'nested call' as kind from contract_action where call_depth > 0 and call_type = 1
  union all select consensus_timestamp, 'deeper than 3' from contract_action where call_depth > 3
  union all select consensus_timestamp, 'CREATE inside' from contract_action where call_depth > 0 and call_operation_type = 5
  union all select consensus_timestamp, 'CREATE2' from contract_action where call_operation_type = 6
  union all select consensus_timestamp, 'DELEGATECALL' from contract_action where call_operation_type = 3
  union all select consensus_timestamp, 'STATICCALL' from contract_action where call_operation_type = 4
  union all select consensus_timestamp, 'CALLCODE' from contract_action where call_operation_type = 2
  union all select consensus_timestamp, 'precompile' from contract_action where call_type = 3
  union all select consensus_timestamp, 'system contract' from contract_action where call_type = 4
  union all select consensus_timestamp, 'value inside' from contract_action where call_depth > 0 and value > 0
  union all select consensus_timestamp, 'value to nobody' from contract_action where value > 0 and call_type = 1
    and recipient_account is null and recipient_contract is null
  union all select consensus_timestamp, 'inner failure' from contract_action where call_depth > 0 and result_data_type <> 11
  union all select consensus_timestamp, 'logs' from contract_log
  union all select consensus_timestamp, 'slots written' from contract_state_change where value_written is not null
  union all select consensus_timestamp, 'slots read' from contract_state_change where value_written is null
  union all select r.consensus_timestamp, 'account made' from contract_result r join transaction t
    on t.payer_account_id = (select payer_account_id from transaction where consensus_timestamp = r.consensus_timestamp)
    and t.consensus_timestamp between r.consensus_timestamp - 9 and r.consensus_timestamp - 1 and t.type = 11 and t.nonce > 0
  union all select r.consensus_timestamp, 'delegation set' from contract_result r join entity e
    on lower(e.timestamp_range) between r.consensus_timestamp - 9 and r.consensus_timestamp - 1 and e.delegation_address is not null
  union all select r.consensus_timestamp, 'delegated account called' from contract_result r join entity e
    on e.id = r.contract_id and e.type = 'ACCOUNT'
  union all select r.consensus_timestamp, 'in a batch' from contract_result r join transaction t using (consensus_timestamp)
    where t.batch_key is not null
  union all select r.consensus_timestamp, 'scheduled' from contract_result r join transaction t using (consensus_timestamp)
    where t.scheduled
) k group by 1, 2`,
  });
  const kinds = new Map<bigint, string[]>();
  for (const { at, kind } of rows) kinds.set(at, [...(kinds.get(at) ?? []), kind]);
  return kinds;
}

function kindsOf(result: ContractResultDetail, rest: Kinds): string[] {
  const { ethType, amount, createdContractIds, transactionResult, toAddress, contractId } = result;
  const own = createdContractIds?.some((id) => id === contractId);
  const isCreation = ethType === null ? own || !contractId : !toAddress?.length;
  return [
    ethType === null ? 'HAPI' : `Ethereum type ${ethType}`,
    isCreation ? 'creation' : 'call',
    responseCodeName(transactionResult) ?? `${transactionResult}`,
    ...((amount ?? 0n) > 0n ? ['value'] : []),
    ...(result.accessList?.length ? ['access list'] : []),
    ...rest,
  ];
}
