// The pages for people: the one list.
import { blocksPage } from './blocks/blocks-page.ts';
import type { Page } from './page.ts';
import { transactionsPage } from './transactions/transactions-page.ts';

export const pages: readonly Page[] = [transactionsPage, blocksPage];
