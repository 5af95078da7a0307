// The pages for people, and files that belong to no page: the one list.
import { accountPages } from './accounts/account-pages.ts';
import { movementsFile } from './accounts/movements-file.ts';
import { blocksPage } from './blocks/blocks-page.ts';
import type { Page, PageDownload } from './page.ts';
import { transactionsPage } from './transactions/transactions-page.ts';

export const pages: readonly Page[] = [transactionsPage, blocksPage, ...accountPages];

/** Beside those of the pages. */
export const downloads: readonly PageDownload[] = [movementsFile];
