// How contracts are checked.
import { choice, file, integer, setting, text, url } from '../../../../packages/kit/setting.ts';
import { commandGroups, settingsOf } from './commands.ts';
import { originList } from './origin-kinds.ts';

const { serving, checking } = commandGroups;

export const verificationSettings = {
  ...settingsOf(checking, {
    'verify-chains': file(
      { defaultText: 'the mirrored chain alone' },
      'YAML or JSON file with the chains and block explorers that contracts are checked against, see docs/guides/verify-contracts.md.',
    ),
  }),
  ...settingsOf(serving, {
    'verify-recheck': integer(
      { unit: 's', min: 0, max: 31_536_000, default: 600 },
      'How long the result of a contract check that was not perfect is kept before the record is fetched again.',
    ),
  }),
  ...settingsOf(checking, {
    'verify-compilers': text(
      { placeholder: '<folder>', defaultText: '<data-dir>/compilers' },
      'Folder with Solidity compilers (soljson files, or packages that hold one) for contract checks, beside the installed packages; downloads go here.',
    ),
    'verify-download': choice(
      { choices: ['off', 'npm', 'list'], default: 'off' },
      'Fetch compilers that are missing: from the npm registry, or by the list at verify-download-url. What is fetched is checked before it is used.',
    ),
    'verify-download-url': url(
      { schemes: ['http', 'https'], default: 'https://binaries.soliditylang.org/bin' },
      'URL of the folder with list.json of the Solidity project, which names the compilers and their SHA-256.',
    ),
    'verify-compile-seconds': integer(
      { unit: 's', min: 1, max: 3600, default: 120 },
      'Maximum processor time for compiling and comparing in one contract check. A busy machine does not shorten it.',
    ),
    'verify-compile-memory': integer(
      { unit: 'MB', min: 128, max: 65_536, default: 1024 },
      'Maximum memory of the process of one contract check.',
    ),
    'verify-concurrent': integer(
      { min: 1, max: 64, default: 1 },
      'Maximum number of contract checks that compile at the same time, and one more of a client that has had none lately, so that nobody waits for a long one.',
    ),
  }),
  ...settingsOf(serving, {
    'verify-queue': integer(
      { min: 0, max: 10_000, default: 250 },
      'Maximum number of contract checks in the queue, which hold at most ten times verify-input together; more are refused with status 429.',
    ),
    'verify-client-queue': integer(
      { min: 1, max: 10_000, default: 25 },
      'Maximum number of contract checks of one client address (IPv6: its network of 64 bits) that run or wait; more are refused with status 429.',
    ),
    'verify-wait': integer(
      { unit: 's', min: 1, max: 3600, default: 50 },
      'How long POST /verify/explorer waits for its check. Then it answers 429 with Retry-After; the check goes on, and the same request gets its result.',
    ),
    'verify-origins': setting(
      originList,
      {},
      'Origins of pages on other hosts whose verification dialog may use sessions here (cookies), such as an explorer. Pages of this host may in any case.',
    ),
  }),
  ...settingsOf(checking, {
    'verify-input': integer(
      { unit: 'bytes', min: 1000, max: 30_000_000, default: 10_000_000 },
      'Maximum size of the sources and settings of one contract check.',
    ),
  }),
};
