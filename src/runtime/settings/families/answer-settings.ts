// What answers look like.
import { commandGroups } from '../command-groups.ts';
import { choiceSetting, contactSetting, integerSetting, switchSetting } from '../setting.ts';

const { serving } = commandGroups;

export const answerSettings = {
  dialect: choiceSetting({
    choices: ['spec', 'hiero'],
    description:
      'How /api/v1 answers: as the specification says, or byte for byte as the Hiero mirror node does. /spec/api/v1 and /hiero/api/v1 answer either way whatever is chosen.',
    commands: serving,
    default: 'spec',
  }),
  'limit-default': integerSetting({
    min: 1,
    max: 10_000,
    description: 'Page size when a request does not specify one.',
    commands: serving,
    default: 25,
  }),
  'limit-max': integerSetting({
    min: 1,
    max: 10_000,
    description: 'Maximum page size.',
    commands: serving,
    default: 100,
  }),
  'token-balance-limit': integerSetting({
    min: 1,
    max: 100_000,
    description: 'Maximum number of token balances in one account.',
    commands: serving,
    default: 1000,
  }),
  'listed-token-balance-limit': integerSetting({
    min: 1,
    max: 100_000,
    description: 'Most token balances of each account in lists of accounts and balances.',
    commands: serving,
    default: 50,
  }),
  'max-repeated-parameters': integerSetting({
    min: 1,
    max: 1000,
    description: 'How often one query parameter may be repeated.',
    commands: serving,
    default: 100,
  }),
  'delegation-address': switchSetting({
    description: 'Show delegation_address of accounts and authorization_list of contract results.',
    commands: serving,
    default: false,
  }),
  'synthetic-results': switchSetting({
    description: 'List results made from synthetic contract logs among the contract results.',
    commands: serving,
    default: true,
  }),
  'max-timestamp-range': integerSetting({
    placeholder: '<days>',
    min: 1,
    max: 3650,
    description: 'Maximum time range of a search for logs by topic.',
    commands: serving,
    default: 7,
  }),
  'bind-timestamp-range': switchSetting({
    description: 'Bound open timestamp ranges of transaction and result lists to the newest (or oldest) 60 days.',
    commands: serving,
    default: false,
  }),
  'security-contact': contactSetting({
    description: 'Where to report security problems of this service; shown at /.well-known/security.txt.',
    commands: serving,
    defaultText: 'none',
  }),
  clock: integerSetting({
    placeholder: '<epoch seconds>',
    min: 0,
    max: 9_999_999_999,
    description: 'For tests: the time at which the clock starts that answers depend on.',
    commands: serving,
    defaultText: "the machine's clock",
  }),
};
