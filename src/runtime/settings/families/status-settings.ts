// The status service.
import { commandGroups } from '../command-groups.ts';
import { choiceSetting, integerSetting, switchSetting, textSetting, urlSetting } from '../setting.ts';

const { serving, reporting } = commandGroups;
const reporters = ['start', 'serve', 'import'] as const;

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
  'status-tls-cert': textSetting({
    placeholder: '<file>',
    description: 'Certificate chain (PEM) of the additional port, which then answers over HTTPS.',
    commands: reporting,
    defaultText: 'none',
  }),
  'status-tls-key': textSetting({
    placeholder: '<file>',
    description: 'Private key (PEM) of that certificate.',
    commands: reporting,
    defaultText: 'none',
  }),
  'status-reporters': textSetting({
    placeholder: '<name:token,...>',
    description:
      'Who may report to the status service from other machines, each with a token of at least 16 characters. Several programs can share one.',
    commands: reporting,
    defaultText: 'none',
    secret: true,
  }),
  'status-report-to': urlSetting({
    schemes: ['https', 'http'],
    description:
      'Status service, run by "status serve", that this program reports to in place of one of its own; /status and /api/v2 are forwarded to it.',
    commands: reporters,
    defaultText: 'a service of its own; "import" reports through the database',
  }),
  'status-report-token': textSetting({
    placeholder: '<token>',
    description: 'Token of --status-reporters that it reports with.',
    commands: reporters,
    defaultText: 'none',
    secret: true,
  }),
  'status-report-ca': textSetting({
    placeholder: '<file>',
    description: 'Certificates (PEM) that the one of the status service is checked against.',
    commands: reporters,
    defaultText: 'those that Node trusts',
  }),
  'status-report-name': textSetting({
    placeholder: '<name>',
    description: 'Name of this program among those that report, the same after a restart.',
    commands: reporters,
    defaultText: '<host name>:<port>, or <host name>:import',
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
