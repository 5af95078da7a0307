// The pages for people: the one list.
import { accountsPage, accountsWithKeyPage } from './accounts/accounts-page.ts';
import { blocksPage } from './blocks/blocks-page.ts';
import { contractsPage } from './contracts/contracts-page.ts';
import { networkPage } from './network/network-page.ts';
import { nodePage } from './network/node-page.ts';
import { nodesPage } from './network/nodes-page.ts';
import { registeredNodesPage } from './network/registered-nodes-page.ts';
import { stakingPage } from './network/staking-page.ts';
import type { Page } from './page.ts';
import { redirectedPages } from './redirected-pages.ts';
import { schedulesPage } from './schedules/schedules-page.ts';
import { tokensByNamePage, tokensPage } from './tokens/tokens-page.ts';
import { topicsPage } from './topics/topics-page.ts';
import { transactionsByIdPage } from './transactions/transactions-by-id-page.ts';
import { transactionsPage } from './transactions/transactions-page.ts';

const lists: readonly Page[] = [
  ...[transactionsPage, transactionsByIdPage, blocksPage, accountsPage, accountsWithKeyPage, tokensPage],
  ...[tokensByNamePage, contractsPage, topicsPage, schedulesPage],
];

const ofNetwork: readonly Page[] = [nodesPage, nodePage, networkPage, registeredNodesPage, stakingPage];

export const pages: readonly Page[] = [...lists, ...ofNetwork, ...redirectedPages];
