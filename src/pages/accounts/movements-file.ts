// `/{network}/account/:accountId/transactions.csv?year=2026`: each movement of an account, oldest first, with the
// exchange rate of its day. Instead of a year: the conditions that the page of its transactions takes.
import { refuse } from '../../../packages/web-server/request-error.ts';
import { type ListFinder, listDownload } from '../downloads/list-download.ts';
import type { PageContext } from '../page/page-context.ts';
import { findTokenNames, type TokenName } from '../parts/token-names.ts';
import { movementsOf, tokenIdsOf } from './account-movements.ts';
import { createDayRates } from './day-rates.ts';
import { findAccount } from './find-account.ts';
import { findTransactions } from './find-transactions.ts';
import { type MovementLine, movementFields, toMovementLines } from './movement-lines.ts';
import { readOperationsQuery } from './operations-query.ts';

export const movementsFile = listDownload<MovementLine>({
  path: '/account/:accountId/transactions.csv',
  fields: () => movementFields,
  toQuery: toOldestFirst,
  open: createFinder,
});

/** Names that are kept while a file is written. */
const maxNames = 5000;

function createFinder(context: PageContext): ListFinder<MovementLine> {
  const rates = createDayRates(context);
  const names = new Map<bigint, TokenName>();
  const { system } = context.settings;
  let known: bigint | null = null;
  return async (request) => {
    known ??= (await findAccount(context, request)).id;
    const accountId = known;
    const query = readOperationsQuery(request.queryText, accountId);
    const { items, next } = await findTransactions(context, query.apiQuery);
    const moved = items.map((transaction) => ({ transaction, movements: movementsOf(transaction, accountId) }));
    await nameTokens(moved.flatMap(({ movements }) => tokenIdsOf(movements)));
    const lines: MovementLine[] = [];
    for (const { transaction, movements } of moved) {
      const rate = await rates(transaction.consensusTimestamp);
      lines.push(...toMovementLines(transaction, { accountId, tokenNames: names, rate, system }, movements));
    }
    return { items: lines, nextQuery: next === null ? null : query.nextQuery(next) };
  };

  async function nameTokens(ids: readonly bigint[]): Promise<void> {
    if (names.size > maxNames) names.clear();
    const unknown = ids.filter((id) => !names.has(id));
    if (unknown.length === 0) return;
    for (const [id, name] of await findTokenNames(context, unknown)) names.set(id, name);
  }
}

/** `year` becomes its first and its last day. Throws RequestError. */
function toOldestFirst(queryText: string): string {
  const kept: string[] = [];
  for (const part of queryText.split('&')) {
    if (part === '' || /^order=/i.test(part)) continue;
    const [, year] = /^year=(.*)$/.exec(part) ?? [];
    if (year === undefined) {
      kept.push(part);
      continue;
    }
    if (!/^(?:19[7-9]\d|2[01]\d\d)$/.test(year)) throw refuse('invalidParameter', { name: 'year' });
    kept.push(`from=${year}-01-01`, `to=${year}-12-31`);
  }
  return [...kept, 'order=asc'].join('&');
}
