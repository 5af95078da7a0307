// What every command takes.
import { choiceSetting, commandNames, textSetting } from '../setting.ts';

export const generalSettings = {
  config: textSetting({
    placeholder: '<file>',
    description: 'Configuration file (JSON) that is read after flags and environment.',
    commands: commandNames,
    default: 'ledger-mirror.config.json',
  }),
  'log-level': choiceSetting({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    description: 'Lowest level of messages that are logged.',
    commands: commandNames,
    default: 'info',
  }),
  'log-format': choiceSetting({
    choices: ['text', 'json'],
    description: 'Log lines for people or for programs.',
    commands: commandNames,
    default: 'text',
  }),
};
