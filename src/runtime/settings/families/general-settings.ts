// What every command takes.
import { choice, file } from '../../../../packages/kit/setting.ts';
import { commandNames, settingsOf } from './commands.ts';

export const generalSettings = settingsOf(commandNames, {
  config: file(
    { default: 'ledger-mirror.config.json' },
    'Configuration file (JSON) that is read after flags and environment.',
  ),
  'log-level': choice(
    { choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], default: 'info' },
    'Lowest level of messages that are logged.',
  ),
  'log-format': choice({ choices: ['text', 'json'], default: 'text' }, 'Log lines for people or for programs.'),
});
