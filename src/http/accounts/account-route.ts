// GET accounts/{idOrAliasOrEvmAddress}: one account, now or as of a timestamp range, with a page of its transactions.
// The query is judged before the path.
import type { Account, AccountReference, AccountTransactionsQuery } from '../../ledger/accounts/account.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { refuse } from '../frame/request-error.ts';
import { formatNextLink } from '../parameters/next-link.ts';
import { everyOperator, readFlag, readLimit, readOrder, readTimestamp } from '../parameters/parameter-readers.ts';
import { type ParameterReader, readParameters } from '../parameters/query-parameters.ts';
import { closeTimestampRange } from '../parameters/timestamp-guard.ts';
import { isEmptyRange, toTimestampConditions } from '../parameters/timestamp-range.ts';
import type { Answer, ApiRequest, Route, RouteContext } from '../route.ts';
import { formatTimestamp } from '../values/json-text.ts';
import { formatAccountBody } from './account-body.ts';
import { findAccount, onlyOne, readAccountPath } from './account-path.ts';

export function createAccountRoute(context: RouteContext): Route {
  const { ledger, dialect, settings } = context;

  return async (request) => {
    const { query } = request;
    const values = readParameters(query, readersOf(context, request.limitMax), settings.maxRepeatedParameters);
    const types = toTypes(values.transactiontype, dialect);
    const reference = readAccountPath(request.id, context);
    const wantsTransactions = values.transactions.at(-1)?.value !== false;
    if (!wantsTransactions && values.timestamp.length === 0) {
      const account = await askCurrent(reference);
      if (!account) throw refuse('notFound');
      return answer({ account, transactions: [], next: null });
    }
    const id = await findAccount(reference, ledger);
    const range = toTimestampConditions(values.timestamp);
    if (isEmptyRange(range)) throw refuse('emptyTimestampRange');
    const accountQuery = {
      id,
      timestamp: values.timestamp.length > 0 ? range : null,
      tokenBalanceLimit: settings.tokenBalanceLimit,
    };
    if (!wantsTransactions) {
      const account = await ledger.account(accountQuery);
      if (!account) throw refuse('notFound');
      return answer({ account, transactions: [], next: null });
    }
    const order = values.order.at(-1) ?? 'desc';
    const limit = values.limit.at(-1) ?? settings.limitDefault;
    const bound = await closeTimestampRange(range, order, context);
    const found = await ledger.accountWithTransactions(accountQuery, {
      accountId: id,
      timestamp: bound.conditions,
      types,
      order,
      limit,
    });
    if (!found) throw refuse('notFound');
    const last = found.transactions.length === limit ? found.transactions.at(-1)!.consensusTimestamp : bound.cut;
    const { createdTimestamp } = found.account;
    const reachesCreation = order === 'desc' && last !== null && createdTimestamp !== null && last <= createdTimestamp;
    const next =
      last === null || (reachesCreation && !dialect.linksBeforeCreation)
        ? null
        : linkAfter(last, request, values.timestamp, order);
    return answer({ ...found, next });
  };

  /** A name and what it stands for are asked for in one go. */
  async function askCurrent(reference: AccountReference): Promise<Account | null> {
    const { tokenBalanceLimit } = settings;
    if (reference.kind === 'id') return ledger.account({ id: reference.id, timestamp: null, tokenBalanceLimit });
    const { ids, account } = await ledger.namedAccount(reference, tokenBalanceLimit);
    onlyOne(ids, reference);
    return account;
  }

  function answer(page: Omit<Parameters<typeof formatAccountBody>[0], 'delegationAddress'>): Answer {
    return {
      status: 200,
      body: formatAccountBody({ ...page, delegationAddress: settings.delegationAddress }),
      cacheControl: 'public, max-age=2',
      next: page.next,
    };
  }

  function linkAfter(
    last: bigint,
    { path, query }: ApiRequest,
    timestamps: Parameters<typeof toTimestampConditions>[0],
    order: 'asc' | 'desc',
  ): string | null {
    return formatNextLink({
      path,
      query,
      key: 'timestamp',
      order,
      conditions: timestamps.map(({ operator, timestamp }) => ({ operator, value: timestamp })),
      last: { text: formatTimestamp(last), value: last },
      repeatsEqual: dialect.linksRepeatEqual,
    });
  }
}

const readTimestampOfAny = readTimestamp(everyOperator);

function readersOf({ dialect }: RouteContext, limitMax: number) {
  const readTransactionType: ParameterReader<string> = ({ text }) => {
    const name = text.toUpperCase();
    return dialect.transactionTypes.has(name) ? name : undefined;
  };
  return {
    limit: readLimit((requested) => dialect.pageSize(requested, limitMax)),
    order: readOrder,
    timestamp: readTimestampOfAny,
    transactiontype: readTransactionType,
    transactions: readFlag,
  };
}

function toTypes(names: readonly string[], dialect: Dialect): AccountTransactionsQuery['types'] {
  if (names.length === 0) return null;
  if (names.length === 1) return dialect.transactionTypes.get(names[0]!)!;
  if (!dialect.repeatedTransactionTypes) throw refuse('invalidParameter', { name: 'transactiontype' });
  const numbers = new Set(names.flatMap((name) => dialect.transactionTypes.get(name)!.numbers));
  return { numbers: [...numbers], except: false };
}
