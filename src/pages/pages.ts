// The pages for people, and files that belong to no page: the one list.
import { accountPages } from './accounts/account-pages.ts';
import { accountsPage, accountsWithKeyPage, adminKeyPage } from './accounts/accounts-page.ts';
import { movementsFile } from './accounts/movements-file.ts';
import { blockPage } from './blocks/block-page.ts';
import { blocksPage } from './blocks/blocks-page.ts';
import { chartPages } from './charts/charts-page.ts';
import { contractSerialPage } from './contract-tokens/contract-serial-page.ts';
import { contractTokenLists } from './contract-tokens/contract-token-lists.ts';
import { contractTokenPage } from './contract-tokens/contract-token-page.ts';
import { contractTokensPage } from './contract-tokens/contract-tokens-page.ts';
import { contractPages } from './contracts/contract-pages.ts';
import { contractsPage } from './contracts/contracts-page.ts';
import { networkPage } from './network/network-page.ts';
import { nodePage } from './network/node-page.ts';
import { nodesPage } from './network/nodes-page.ts';
import { registeredNodePage, registeredNodesPage } from './network/registered-nodes-page.ts';
import { stakingPage } from './network/staking-page.ts';
import type { Page, PageDownload } from './page/page.ts';
import { redirectedPages } from './redirected-pages.ts';
import { schedulePage } from './schedules/schedule-page.ts';
import { schedulesPage } from './schedules/schedules-page.ts';
import { nftPage, nftTransactionsPage } from './tokens/nft-page.ts';
import { tokenHoldersPage, tokenNftsPage, tokenTransfersPage } from './tokens/token-lists.ts';
import { tokenPage } from './tokens/token-page.ts';
import { tokenPicturesPage } from './tokens/token-pictures-page.ts';
import { orderedTokenPages, tokensByNamePage, tokensPage } from './tokens/tokens-page.ts';
import { messagePage } from './topics/message-page.ts';
import { topicMessagesPage, topicPage } from './topics/topic-page.ts';
import { topicsPage } from './topics/topics-page.ts';
import { transactionPages } from './transactions/transaction-page.ts';
import { transactionsPage } from './transactions/transactions-page.ts';

const ofTokens: readonly Page[] = [
  tokensPage,
  tokensByNamePage,
  ...orderedTokenPages,
  tokenPage,
  tokenHoldersPage,
  tokenNftsPage,
  tokenPicturesPage,
  tokenTransfersPage,
  nftPage,
  nftTransactionsPage,
  contractTokensPage,
  contractTokenPage,
  ...contractTokenLists,
  contractSerialPage,
];

export const pages: readonly Page[] = [
  transactionsPage,
  ...transactionPages,
  blocksPage,
  blockPage,
  schedulesPage,
  schedulePage,
  accountsPage,
  accountsWithKeyPage,
  adminKeyPage,
  ...accountPages,
  ...ofTokens,
  contractsPage,
  ...contractPages,
  topicsPage,
  topicPage,
  topicMessagesPage,
  messagePage,
  nodesPage,
  nodePage,
  networkPage,
  registeredNodesPage,
  registeredNodePage,
  stakingPage,
  ...chartPages,
  ...redirectedPages,
];

/** Beside those of the pages. */
export const downloads: readonly PageDownload[] = [movementsFile];
