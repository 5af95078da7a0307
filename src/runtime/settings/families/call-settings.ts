// What calls of contracts may take of the machine.

import { integer, setting } from '../../../../packages/kit/setting.ts';
import type { CallFilter } from '../../../calls/throttle/call-filters.ts';
import { commandGroups, settingsOf } from './commands.ts';
import { callFiltersShape, readCallFilters } from './read-call-filters.ts';

const { serving } = commandGroups;

export const callSettings = settingsOf(serving, {
  'call-threads': integer(
    { min: 1, max: 64, defaultText: 'one less than there are processors, at most 4' },
    'Threads that run contracts, for contracts/call, JSON-RPC and traces; further calls wait, and clients take turns. One thread more is kept for clients that have taken little time.',
  ),
  'call-rate': integer(
    { unit: 'requests/s', min: 1, max: 1_000_000, default: 500 },
    'Calls a second of one client, of contracts/call and of eth_call and eth_estimateGas, that are answered; others get 429. All clients together may make four times as many.',
  ),
  'call-gas-rate': integer(
    { unit: 'Mgas/s', min: 1, max: 1_000_000, default: 7500 },
    'Gas a second that calls of one client may ask for, in REST and JSON-RPC together, in millions; all clients together four times as much. What a call does not use is given back; beyond it they get 429.',
  ),
  'call-gas-refund': integer(
    { unit: '%', min: 0, max: 100, default: 100 },
    'How much of the gas limit of a call may be given back to the gas a second at most.',
  ),
  'call-filters': setting<CallFilter[]>(
    { placeholder: '<rules>', shape: callFiltersShape, read: readCallFilters },
    {},
    'What to do with certain calls: `<log|reject|throttle>[:<rate>[:<limit>]] [<field><=|~><text>[|…]]`, with `;` between rules. `data~095ea7b3` means call data that contain this, `from=0x…` this sender; fields are block, data, estimate, from, gas, to, value, and without any the rule is for all calls. The rate of throttle is calls a second, of the others the part of calls in per cent (both at most, and usually, 100); the limit is how many calls the rule looks at.',
  ),
  'opcode-rate': integer(
    { unit: 'requests/s', min: 1, max: 1000, default: 1 },
    'Requests a second of one client that run a transaction again and are answered: contracts/results/{id}/opcodes, debug_traceTransaction with opcodes or states, and blocks of states; others get 429. All clients together may send four times as many.',
  ),
  'prestate-rate': integer(
    { unit: 'requests/s', min: 1, max: 100_000, default: 100 },
    'Requests a second of one client for contracts/results/{id}/prestate that are answered; others get 429. All clients together may send four times as many.',
  ),
});
