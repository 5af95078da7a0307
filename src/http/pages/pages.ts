// The pages for people: the one list.
import { blocksPage } from './blocks/blocks-page.ts';
import type { Page } from './page.ts';
import { nftPage, nftTransactionsPage } from './tokens/nft-page.ts';
import { tokenHoldersPage, tokenNftsPage, tokenTransfersPage } from './tokens/token-lists.ts';
import { tokenPage } from './tokens/token-page.ts';
import { messagePage } from './topics/message-page.ts';
import { topicMessagesPage, topicPage } from './topics/topic-page.ts';
import { transactionsPage } from './transactions/transactions-page.ts';

export const pages: readonly Page[] = [
  transactionsPage,
  blocksPage,
  ...[tokenPage, tokenHoldersPage, tokenNftsPage, tokenTransfersPage, nftPage, nftTransactionsPage],
  ...[topicPage, topicMessagesPage, messagePage],
];
