// The pages for people: the one list.
import { blockPage } from './blocks/block-page.ts';
import { blocksPage } from './blocks/blocks-page.ts';
import type { Page } from './page.ts';
import { schedulePage } from './schedules/schedule-page.ts';
import { transactionPages } from './transactions/transaction-page.ts';
import { transactionsPage } from './transactions/transactions-page.ts';

export const pages: readonly Page[] = [transactionsPage, ...transactionPages, blocksPage, blockPage, schedulePage];
