// The pages of one account.
import type { Page } from '../page.ts';
import { accountPage, addressPage } from './account-page.ts';
import { operationsPage } from './operations-page.ts';

export const accountPages: readonly Page[] = [accountPage, addressPage, operationsPage];
