// GET contracts/results/{transactionIdOrHash}/prestate: the accounts that a transaction concerned, before and after it,
// from what was recorded of it.
import { Type } from '@sinclair/typebox';
import { isSuccess } from '../../../../packages/protocol/hapi/response-codes.ts';
import { isHookContract } from '../../../../packages/protocol/hapi/system-entity.ts';
import { typeNumber } from '../../../../packages/protocol/hapi/transaction-types.ts';
import { refuse } from '../../../../packages/web-server/request-error.ts';
import type { ApiRequest } from '../../../../packages/web-server/route.ts';
import { endpoint } from '../../../api/endpoint/endpoint.ts';
import type { RouteContext } from '../../../api/reading/query/context.ts';
import { flag } from '../../../api/reading/value/flag.ts';
import type { Kind } from '../../../api/values/kind.ts';
import { hex, hexQuantity, int64 } from '../../../api/values/kinds.ts';
import { array, members, nullable, value } from '../../../api/values/members.ts';
import { formatTransactionId } from '../../../api/values/transaction-id-text.ts';
import { type Prestate, type PrestateAccount, PrestateTooLarge } from '../../../calls/prestate/read-prestate.ts';
import type { ContractResultDetail } from '../../../ledger/contracts/create-contract-results.ts';
import { callShapes } from './call-shapes.ts';
import { type NamedExecution, namedExecution } from './named-execution.ts';

/** Throws RequestError. */
function admit({ acceptEncoding = '' }: ApiRequest, { calls, settings, dialect }: RouteContext): void {
  if (!/gzip/i.test(acceptEncoding)) {
    throw refuse('notAcceptable', { text: 'Accept-Encoding: gzip header is required' });
  }
  const isOn = settings.prestate === 'dialect' ? dialect.showsPrestates : settings.prestate === 'on';
  if (!isOn) throw refuse('notSimulated', { text: 'Prestates are switched off' });
  if (!calls.mayShowPrestate()) throw refuse('callThrottled', { text: 'Requests per second rate limit exceeded.' });
}

const weibarPerTinybar = 10_000_000_000n;

const storage: Kind<PrestateAccount['storage']> = {
  schema: Type.Record(Type.String(), Type.String(), {
    description: 'Words of 32 bytes by slot, without those of zeros.',
  }),
  write: (slots) => `{${slots.map(([slot, word]) => `${hex.write(slot)}:${hex.write(word)}`).join()}}`,
};

const balance: Kind<bigint> = {
  schema: hexQuantity.schema,
  write: (tinybar) => `"0x${(tinybar * weibarPerTinybar).toString(16)}"`,
};

const account = members(
  {
    address: hex,
    balance: value(balance, ({ balance: tinybar }: PrestateAccount) => tinybar, 'Weibar.'),
    nonce: int64,
    code: nullable(hex, 'Of a contract, with `code=true`.'),
    storage: value(storage, ({ storage: slots }: PrestateAccount) => slots, 'Of a contract, with `storage=true`.'),
  },
  { name: 'PrestateAccount' },
);

export const getPrestate = endpoint({
  path: '/api/v1/contracts/results/{transactionIdOrHash}/prestate',
  id: 'getPrestate',
  tag: 'Contracts',
  summary: 'The accounts that a transaction concerned, as they were before it',
  description:
    'Sorted by address; at most 1,000. Balances after it are those before with what calls moved. Needs `Accept-Encoding: gzip`.',
  in: { transactionIdOrHash: namedExecution },
  query: {
    diff: flag('Only accounts that changed, before it and after it.', { default: false }),
    code: flag('Whether the code of contracts is shown.', { default: false }),
    storage: flag('Whether the slots are shown that it met.', { default: false }),
  },
  admits: admit,
  shapes: callShapes,
  async ask({ path: { transactionIdOrHash: name }, query }, { ledger, calls }): Promise<Prestate> {
    const result = await findResult(name, ledger);
    if (result === null) return { pre: [], post: [] };
    try {
      return await calls.prestate(result, query);
    } catch (error) {
      if (error instanceof PrestateTooLarge) throw refuse('invalidCall', { text: error.message });
      throw error;
    }
  },
  answer: members({ pre: array(account), post: array(account) }, { name: 'Prestate' }),
  fresh: 600,
  // A client that does not take gzip gets none.
  kept: false,
  mayLack: true,
  example: {
    text: 'the accounts of an execution before it',
    find: ({ execution }) => execution && formatTransactionId(execution),
    missing: 'no contract has been executed yet',
  },
});

const contractTypes: readonly number[] = [
  typeNumber.contractCall,
  typeNumber.contractCreateInstance,
  typeNumber.ethereumTransaction,
];

/** null: it has no result. Throws RequestError: there is no such transaction of a contract. */
async function findResult(
  { execution }: NamedExecution,
  { contractResults, transactions }: RouteContext['ledger'],
): Promise<ContractResultDetail | null> {
  if (execution.kind === 'hash') {
    const result = await contractResults.find(execution, { synthetic: false });
    // Calls of hooks are no transactions.
    const isOfHook = result?.contractId && isHookContract(result.contractId);
    if (!result || isOfHook) throw refuse('notFound', { sentence: 'Contract transaction hash not found.' });
    return result;
  }
  // A schedule has its whole life to be executed.
  const found = await transactions.findById(execution, { nonce: 0n, scheduled: null });
  const own = found.filter(
    ({ payerAccountId, validStart, type }) =>
      // Inner transactions of a batch come with it.
      payerAccountId === execution.payerAccountId &&
      validStart === execution.validStart &&
      contractTypes.includes(type),
  );
  const ran = own.sort(bySuccessAndTime)[0];
  if (!ran) throw refuse('notFound', { sentence: 'Transaction not found.' });
  return contractResults.findAt(ran.consensusTimestamp, { contractId: null, synthetic: false });
}

type Ran = { result: number; consensusTimestamp: bigint };

/** The newest successful one, else the newest. */
function bySuccessAndTime(one: Ran, other: Ran): number {
  const success = Number(isSuccess(other.result)) - Number(isSuccess(one.result));
  return success || (one.consensusTimestamp > other.consensusTimestamp ? -1 : 1);
}
