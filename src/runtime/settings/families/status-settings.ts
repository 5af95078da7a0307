// The status service.
import { commandGroups } from '../command-groups.ts';
import { choiceSetting, integerSetting, switchSetting, textSetting, urlSetting } from '../setting.ts';

const { serving, reporting } = commandGroups;

export const statusSettings = {
  'status-service': choiceSetting({
    choices: ['on', 'off'],
    description:
      'on: a separate process answers /status and /api/v2 on this port, and continues when this process dies.',
    commands: serving,
    default: 'on',
  }),
  'status-port': integerSetting({
    placeholder: '<port>',
    min: 0,
    max: 65_535,
    description: 'Additional port of the status service itself; 0 takes a free one.',
    commands: reporting,
    defaultText: 'none',
  }),
  'status-url': urlSetting({
    schemes: ['http', 'https'],
    placeholder: '<url>',
    description: 'Public address of the status page, for links to it.',
    commands: reporting,
    defaultText: 'http://<host>:<port>/status',
  }),
  'status-title': textSetting({
    description: 'Name of the network on the status page and in the name of its component.',
    commands: reporting,
    defaultText: 'Hedera Mainnet, Hedera Testnet, Hedera Previewnet, else <Name> Network',
  }),
  'status-token': textSetting({
    placeholder: '<name:token,...>',
    description: 'Users who may change the status over HTTP, each with a token of at least 16 characters.',
    commands: reporting,
    defaultText: 'none',
    secret: true,
  }),
  'status-rules': textSetting({
    placeholder: '<file>',
    description: 'JSON file with numbers that replace thresholds and times of the status rules.',
    commands: reporting,
    defaultText: 'the rules of docs/reference/status.md',
  }),
  'status-webhook-private': switchSetting({
    description: 'Allow webhooks to addresses that are not public, such as those of a local network.',
    commands: reporting,
    default: false,
  }),
  'status-outlive': integerSetting({
    placeholder: '<seconds>',
    min: 0,
    max: 31_536_000,
    description: 'How long the status service continues after the mirror was killed, when no mirror starts again.',
    commands: reporting,
    defaultText: '3600',
  }),
};
