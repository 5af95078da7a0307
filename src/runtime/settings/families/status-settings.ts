// The status service.
import { choice, file, integer, onOff, port, text, url } from '../../../../packages/kit/setting.ts';
import { commandGroups, settingsOf } from './commands.ts';

const { serving, reporting, reporters } = commandGroups;

export const statusSettings = {
  ...settingsOf(serving, {
    'status-service': choice(
      { choices: ['on', 'off'], default: 'on' },
      'on: a separate process answers /status and /api/v2 on this port, and continues when this process dies.',
    ),
  }),
  ...settingsOf(reporting, {
    'status-port': port({}, 'Additional port of the status service itself; 0 takes a free one.'),
    'status-tls-cert': file({}, 'Certificate chain (PEM) of the additional port, which then answers over HTTPS.'),
    'status-tls-key': file({}, 'Private key (PEM) of that certificate.'),
    'status-reporters': text(
      { placeholder: '<name:token,...>', secret: true },
      'Who may report to the status service from other machines, each with a token of at least 16 characters. Several programs can share one.',
    ),
  }),
  ...settingsOf(reporters, {
    'status-report-to': url(
      { schemes: ['https', 'http'], defaultText: 'its own service; "import" reports through the database' },
      'Status service, run by "status serve", that this program reports to instead of its own; /status and /api/v2 are forwarded to it.',
    ),
    'status-report-token': text(
      { placeholder: '<token>', secret: true },
      'Token of --status-reporters that it reports with.',
    ),
    'status-report-ca': file(
      { defaultText: 'those that Node trusts' },
      'Certificates (PEM) that the one of the status service is checked against.',
    ),
    'status-report-name': text(
      { placeholder: '<name>', defaultText: '<host name>:<port>, or <host name>:import' },
      'Name of this program among those that report, the same after a restart.',
    ),
  }),
  ...settingsOf(reporting, {
    'status-url': url(
      { schemes: ['http', 'https'], defaultText: 'http://<host>:<port>/status' },
      'Public address of the status page, for links to it.',
    ),
    'status-title': text(
      { defaultText: 'Hedera Mainnet, Hedera Testnet, Hedera Previewnet, else <Name> Network' },
      'Name of the network on the status page and in the name of its component.',
    ),
    'status-token': text(
      { placeholder: '<name:token,...>', secret: true },
      'Users who may change the status over HTTP, each with a token of at least 16 characters.',
    ),
    'status-rules': file(
      { defaultText: 'the rules of docs/reference/status.md' },
      'JSON file with numbers that replace thresholds and times of the status rules.',
    ),
    'status-webhook-private': onOff(
      { default: false },
      'Allow webhooks to addresses that are not public, such as those of a local network.',
    ),
    'status-outlive': integer(
      { unit: 'seconds', min: 0, max: 31_536_000, defaultText: '3600' },
      'How long the status service continues after the mirror was killed, when no mirror starts again.',
    ),
  }),
};
