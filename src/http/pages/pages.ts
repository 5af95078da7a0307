// The pages for people, and files that belong to no page: the one list.
import { accountPages } from './accounts/account-pages.ts';
import { movementsFile } from './accounts/movements-file.ts';
import { blockPage } from './blocks/block-page.ts';
import { blocksPage } from './blocks/blocks-page.ts';
import type { Page, PageDownload } from './page.ts';
import { schedulePage } from './schedules/schedule-page.ts';
import { nftPage, nftTransactionsPage } from './tokens/nft-page.ts';
import { tokenHoldersPage, tokenNftsPage, tokenTransfersPage } from './tokens/token-lists.ts';
import { tokenPage } from './tokens/token-page.ts';
import { messagePage } from './topics/message-page.ts';
import { topicMessagesPage, topicPage } from './topics/topic-page.ts';
import { transactionPages } from './transactions/transaction-page.ts';
import { transactionsPage } from './transactions/transactions-page.ts';

export const pages: readonly Page[] = [
  transactionsPage,
  ...transactionPages,
  ...[blocksPage, blockPage, schedulePage],
  ...accountPages,
  ...[tokenPage, tokenHoldersPage, tokenNftsPage, tokenTransfersPage, nftPage, nftTransactionsPage],
  ...[topicPage, topicMessagesPage, messagePage],
];

/** Beside those of the pages. */
export const downloads: readonly PageDownload[] = [movementsFile];
