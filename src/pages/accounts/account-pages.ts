// The pages of one account.
import type { Page } from '../page/page.ts';
import { accountPage, addressPage } from './account-page.ts';
import { allowanceLists, allowancesPage } from './allowance-pages.ts';
import { assetLists, assetsPage } from './asset-pages.ts';
import { contractHoldingsPage } from './contract-holdings.ts';
import { hooksPage } from './hooks-page.ts';
import { operationsPage } from './operations-page.ts';
import { stakingPage } from './staking-page.ts';

export const accountPages: readonly Page[] = [
  accountPage,
  addressPage,
  operationsPage,
  stakingPage,
  hooksPage,
  assetsPage,
  ...assetLists,
  contractHoldingsPage,
  allowancesPage,
  ...allowanceLists,
];
