// The pages of one contract.
import type { Page } from '../page/page.ts';
import { abiPage } from './abi/abi-page.ts';
import { bytecodePage } from './code/bytecode-page.ts';
import { statePage } from './code/state-page.ts';
import { callPages } from './lists/call-pages.ts';
import { contractPage } from './overview/contract-page.ts';
import { sourcePage, sourceTextPage } from './source/source-page.ts';

export const contractPages: readonly Page[] = [
  contractPage,
  ...callPages,
  abiPage,
  bytecodePage,
  statePage,
  sourcePage,
  sourceTextPage,
];
