// Which pages are measured, and why each of the others is not.
import { pages } from '../../src/pages/pages.ts';
import { redirects } from '../../src/pages/redirected-pages.ts';

/** Each has a question in page-questions.ts. */
export const measuredPages: readonly string[] = [
  '/account/:accountId',
  '/accounts',
  '/block/:blockHon',
  '/blocks',
  '/charts',
  '/charts/transactions',
  '/contract/:contractId',
  '/contracts',
  '/nodes',
  '/schedules',
  '/token/:tokenId',
  '/token/:tokenId/:serialNumber',
  '/tokens',
  '/topic/:topicId',
  '/topic/:topicId/messages/:sequenceNumber',
  '/topics',
  '/transaction/:transactionLoc',
  '/transactions',
];

const list = 'a list of one endpoint, made as those that are measured';
const parts = 'the first rows of lists, as the page of their owner has them';
const elsewhere = 'a measured page at another address';
const ownList = 'its rows are in no answer of the API that it could be compared with';
const chart = 'made as the chart that is measured';
const figures = 'a few figures, of which the start has most';
const text = 'what a contract is made of, which no answer of the API has';

const unmeasuredPages: Readonly<Record<string, string>> = {
  '/account/:accountId/airdrops/outstanding': list,
  '/account/:accountId/airdrops/pending': list,
  '/account/:accountId/allowances': parts,
  '/account/:accountId/allowances/crypto': list,
  '/account/:accountId/allowances/nfts': list,
  '/account/:accountId/allowances/tokens': list,
  '/account/:accountId/assets': parts,
  '/account/:accountId/contract-tokens': ownList,
  '/account/:accountId/hooks': list,
  '/account/:accountId/nfts': list,
  '/account/:accountId/operations': 'the transactions of the page of the account',
  '/account/:accountId/rewards': list,
  '/account/:accountId/tokens': list,
  '/accountsWithKey/:pubKey': list,
  '/address/:accountId': elsewhere,
  '/adminKey/:accountId': 'it leads to the list of what has the key',
  '/contract-tokens': ownList,
  '/contract/:contractId/abi': text,
  '/contract/:contractId/bytecode': text,
  '/contract/:contractId/calls': list,
  '/contract/:contractId/events': list,
  '/contract/:contractId/source': text,
  '/contract/:contractId/source/text': text,
  '/contract/:contractId/state': list,
  '/contract/:contractId/token': ownList,
  '/contract/:contractId/token/holders': ownList,
  '/contract/:contractId/token/serials': ownList,
  '/contract/:contractId/token/serials/:serialNumber': ownList,
  '/contract/:contractId/token/transfers': list,
  '/network': figures,
  '/network/registered-nodes': list,
  '/node/:nodeId': 'a row of the list of nodes',
  '/registered-node/:nodeId': 'a row of a list of one endpoint',
  '/schedule/:scheduleId': 'one row, and its transaction, whose page is measured',
  '/staking': figures,
  '/token/:tokenId/:serialNumber/transactions': list,
  '/token/:tokenId/holders': list,
  '/token/:tokenId/nfts': list,
  '/token/:tokenId/pictures': list,
  '/token/:tokenId/transfers': list,
  '/tokens/by-holders': ownList,
  '/tokens/by-name': ownList,
  '/tokens/by-transfers': ownList,
  '/tokensByName/:name': list,
  '/topic/:topicId/messages': list,
  '/transactionsById/:transactionId': 'several pages of transactions in one, by their id',
  '/tx/:transactionLoc': elsewhere,
  ...Object.fromEntries(
    ownPages()
      .filter((path) => /^\/charts\/(?!transactions$)/.test(path))
      .map((path) => [path, chart]),
  ),
};

/** Pages of which nothing says whether they are measured, and what is said of pages that there are not. */
export function findUndecided(all: readonly string[] = ownPages()): { undecided: string[]; unknown: string[] } {
  const decided = [...measuredPages, ...Object.keys(unmeasuredPages)];
  return {
    undecided: all.filter((path) => !decided.includes(path)),
    unknown: decided.filter((path, place) => !all.includes(path) || decided.indexOf(path) !== place),
  };
}

/** Without those that lead to others. */
export function ownPages(): string[] {
  const redirected = new Set(redirects.map(([path]) => path));
  return pages.map(({ path }) => path).filter((path) => !redirected.has(path));
}

/** Throws where a page that is said to be measured has no question. */
export function assertAllMeasured(questions: readonly { paths: readonly string[] }[], start: string): void {
  const asked = questions.flatMap(({ paths }) => paths);
  const missing = measuredPages.filter((page) => {
    const pattern = new RegExp(`^${start}${page.replaceAll(/:\w+/g, '[^/?]+')}$`);
    return !asked.some((path) => pattern.test(path));
  });
  if (missing.length > 0) throw new Error(`No question in bench/pages/page-questions.ts for ${missing.join(', ')}`);
}
