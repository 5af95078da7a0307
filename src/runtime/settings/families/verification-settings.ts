// How contracts are checked.
import { commandGroups } from '../command-groups.ts';
import { choiceSetting, integerSetting, textSetting, urlSetting } from '../setting.ts';

const { serving } = commandGroups;

export const verificationSettings = {
  'verify-chains': textSetting({
    placeholder: '<file>',
    description:
      'YAML or JSON file with the chains and block explorers that contracts are checked against, see docs/guides/verify-contracts.md.',
    commands: serving,
    defaultText: 'the mirrored chain alone',
  }),
  'verify-recheck': integerSetting({
    placeholder: '<s>',
    min: 0,
    max: 31_536_000,
    description:
      'How long the result of a contract check that was not perfect is kept before the record is fetched again.',
    commands: serving,
    default: 600,
  }),
  'verify-compilers': textSetting({
    placeholder: '<folder>',
    description:
      'Folder with Solidity compilers (soljson files, or packages that hold one) for contract checks, beside the installed packages; downloads go here.',
    commands: serving,
    defaultText: '<data-dir>/compilers',
  }),
  'verify-download': choiceSetting({
    choices: ['off', 'npm', 'list'],
    description:
      'Fetch compilers that are missing: from the npm registry, or by the list at verify-download-url. What is fetched is checked before it is used.',
    commands: serving,
    default: 'off',
  }),
  'verify-download-url': urlSetting({
    schemes: ['http', 'https'],
    placeholder: '<url>',
    description:
      'URL of the folder with list.json of the Solidity project, which names the compilers and their SHA-256.',
    commands: serving,
    default: 'https://binaries.soliditylang.org/bin',
  }),
  'verify-compile-seconds': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description:
      'Maximum processor time for compiling and comparing in one contract check. A busy machine does not shorten it.',
    commands: serving,
    default: 120,
  }),
  'verify-compile-memory': integerSetting({
    placeholder: '<MB>',
    min: 128,
    max: 65_536,
    description: 'Maximum memory of the process of one contract check.',
    commands: serving,
    default: 1024,
  }),
  'verify-concurrent': integerSetting({
    min: 1,
    max: 64,
    description: 'Maximum number of contract checks that compile at the same time.',
    commands: serving,
    default: 1,
  }),
  'verify-queue': integerSetting({
    min: 0,
    max: 10_000,
    description:
      'Maximum number of contract checks in the queue, which hold at most ten times verify-input together; more are refused with status 429.',
    commands: serving,
    default: 250,
  }),
  'verify-client-queue': integerSetting({
    min: 1,
    max: 10_000,
    description:
      'Maximum number of contract checks of one client address (IPv6: its network of 64 bits) that run or wait; more are refused with status 429.',
    commands: serving,
    default: 25,
  }),
  'verify-wait': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description:
      'How long POST /verify/explorer waits for its check. Then it answers 429 with Retry-After; the check goes on, and the same request gets its result.',
    commands: serving,
    default: 50,
  }),
  'verify-input': integerSetting({
    placeholder: '<bytes>',
    min: 1000,
    max: 30_000_000,
    description: 'Maximum size of the sources and settings of one contract check.',
    commands: serving,
    default: 10_000_000,
  }),
};
