// The lists below a token of a contract: its holders, its units, its events.

import type { SerialPlace } from '../../../packages/store/read/select-contract-tokens.ts';
import type { HolderPlace } from '../../ledger/tokens/create-contract-tokens.ts';
import { listLogsOfContract } from '../../resources/contracts/list-logs-of-contract.ts';
import { contractParams } from '../contracts/about/find-contract.ts';
import { logsOfPage } from '../contracts/lists/log-columns.ts';
import { listPage } from '../lists/list-page.ts';
import type { Page, PageRequest } from '../page/page.ts';
import { timeFields } from '../parts/filters.ts';
import { findToken, tokenHeading } from './find-token.ts';
import { keysetList, parseNumber } from './keyset-list.ts';
import { holderColumns, serialColumns } from './token-columns.ts';
import { readItems, tokenEventColumns } from './token-event-columns.ts';

const start = '/contract/:contractId/token';
const titleOf =
  (what: string) =>
  ({ params }: PageRequest): string =>
    `${what} of the token of ${params.contractId}`;

export const contractTokenLists: readonly Page[] = [
  keysetList({
    path: `${start}/holders`,
    title: titleOf('Holders'),
    open: findToken,
    heading: (_request, context, found) => tokenHeading(found, '/holders', context),
    find: (asked, { ledger }, { token }) =>
      ledger.contractTokens.listHolders({ contractId: token.contractId, ...asked }),
    format: ({ amount, account }: HolderPlace) => `${amount}-${account.toString('hex')}`,
    parse(text): HolderPlace | undefined {
      const [number, account = ''] = text.split('-', 2);
      const amount = parseNumber(number);
      if (amount === undefined || !/^[0-9a-f]{40}$/.test(account)) return undefined;
      return { amount, account: Buffer.from(account, 'hex') };
    },
    columns: (context, { token }) => holderColumns(token, context),
    none: 'Nobody has any of it.',
  }),
  keysetList({
    path: `${start}/serials`,
    title: titleOf('Units'),
    open: findToken,
    heading: (_request, context, found) => tokenHeading(found, '/serials', context),
    find: ({ after, limit }, { ledger }, { token }) =>
      ledger.contractTokens.listSerials({ contractId: token.contractId, after, limit }),
    format: ({ serialNumber, account }: SerialPlace) => `${serialNumber}-${account.toString('hex')}`,
    parse(text): SerialPlace | undefined {
      const [number, account = ''] = text.split('-', 2);
      const serialNumber = parseNumber(number);
      if (serialNumber === undefined || !/^[0-9a-f]{40}$/.test(account)) return undefined;
      return { serialNumber, account: Buffer.from(account, 'hex') };
    },
    columns: (context, { token }) => serialColumns(token, context),
    none: 'There are none.',
  }),
  listPage({
    path: `${start}/transfers`,
    title: titleOf('Events'),
    open: findToken,
    heading: (_request, context, found) => tokenHeading(found, '/transfers', context),
    endpoint: listLogsOfContract,
    params: contractParams,
    items: (found) => readItems(logsOfPage(found)),
    columns: (context, _request, { token }) => tokenEventColumns(token, context),
    filters: timeFields,
    none: 'It has logged nothing.',
  }),
];
