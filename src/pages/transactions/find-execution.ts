// What a contract did in a transaction, as the ledger has it, and the ABIs to read it with: checked ones, and those of
// system contracts.

import type { Abi } from '../../../packages/abi/abi.ts';
import { systemAbiOf } from '../../calls/names/usual-names.ts';
import type { ContractResultDetail } from '../../ledger/contracts/create-contract-results.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import type { PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { windowStart } from '../parts/list-window.ts';
import { callMembers, callsShown, type InnerCalls } from './calls-part.ts';
import { type Execution, readCalled } from './execution-section.ts';
import { logsShown } from './logs-part.ts';

/** `result`: of the transaction; null = no contract took part. */
export async function findExecution(
  { consensusTimestamp, payerAccountId, type }: LedgerTransaction,
  result: ContractResultDetail | null,
  request: PageRequest,
  context: PageContext,
): Promise<Execution | null> {
  if (result === null) return null;
  const start = windowStart(request.queryText, 'calls');
  const found = await context.ledger.contractResults.listActionsAt(
    { consensusTimestamp, payerAccountId },
    { members: callMembers, index: fromStart(start), order: 'asc', limit: callsShown + 1 },
  );
  const calls = { shown: found.items.slice(0, callsShown), start, hasMore: found.items.length > callsShown };
  const abis = await findAbis(contractsOf(result, calls, request), context);
  const abi = result.contractId === null ? undefined : abis.get(result.contractId);
  return { result, calls, abis, called: readCalled(result, type, abi) };
}

function fromStart(start: number) {
  return { from: BigInt(start), to: null, equals: [], notEquals: [] };
}

/** The contracts of what is shown. */
function contractsOf(result: ContractResultDetail, { shown }: InnerCalls, { queryText }: PageRequest): Set<bigint> {
  const start = windowStart(queryText, 'logs');
  const found = [
    result.contractId,
    ...result.logs.slice(start, start + logsShown).map(({ contractId }) => contractId),
    ...shown.map(({ recipientContract }) => recipientContract),
  ];
  return new Set(found.flatMap((id) => (id === null || id === 0n ? [] : [id])));
}

async function findAbis(contractIds: Set<bigint>, { abis }: PageContext): Promise<Map<bigint, Abi>> {
  const found = await Promise.all(
    [...contractIds].map(async (id) => [id, systemAbiOf(id) ?? (await abis.find(id))?.abi ?? null] as const),
  );
  return new Map(found.flatMap(([id, abi]) => (abi === null ? [] : [[id, abi] as const])));
}
