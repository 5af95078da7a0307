// What calls of contracts may take of the machine.
import { integer } from '../../../kit/setting.ts';
import { commandGroups, settingsOf } from './commands.ts';

const { serving } = commandGroups;

export const callSettings = settingsOf(serving, {
  'call-threads': integer(
    { min: 1, max: 64, defaultText: 'one less than there are processors, at most 4' },
    'Threads that run contracts for contracts/call; further calls wait.',
  ),
  'call-rate': integer(
    { unit: 'requests/s', min: 1, max: 1_000_000, default: 500 },
    'Requests a second to contracts/call that are answered; others get 429.',
  ),
  'call-gas-rate': integer(
    { unit: 'Mgas/s', min: 1, max: 1_000_000, default: 7500 },
    'Gas a second that requests to contracts/call may ask for, in millions. What a call does not use is given back; beyond it they get 429.',
  ),
  'opcode-rate': integer(
    { unit: 'requests/s', min: 1, max: 1000, default: 1 },
    'Requests a second to contracts/results/{id}/opcodes that are answered; others get 429.',
  ),
});
