// What people read while each rule is in force: the state of its component and the sentence that gives the reason.
import { expect, it, test } from 'vitest';
import { createRehearsal, page } from '../test-support/status/status-rehearsal.ts';
import { setUpStatus } from './set-up-status.ts';
import type { SignalName } from './signal-names.ts';
import { defaultStatusRules, type TroubleLevel } from './status-rules.ts';

const { levels } = defaultStatusRules;
const fact = 'The text of the signal.';
const [degraded, partial, major] = ['degraded_performance', 'partial_outage', 'major_outage'] as const;

type Seen = [value: number, signal: SignalName, state: TroubleLevel, reason: string];
const sentences: Record<string, Seen> = {
  'api-slow': [3200, 'api.p95Ms', degraded, 'for half of the clients one answer in twenty takes longer than 3.2 s'],
  'api-refuses': [
    0.25,
    'api.refusedShare',
    degraded,
    '25 % of the queries are refused because more is asked than can be answered',
  ],
  'api-workers': [2, 'api.workersMissing', degraded, '{fact}'],
  'api-errors': [0.03, 'api.errorShare', partial, '3 % of the queries fail'],
  'api-mostly-errors': [0.62, 'api.errorShare', major, '62 % of the queries fail'],
  'api-down': [1, 'api.down', major, 'the query service does not answer or is not ready'],
  'api-partly-down': [0.5, 'api.down', partial, '{fact}'],
  'api-lost': [1, 'api.lost', major, '{fact}'],
  'api-partly-lost': [0.5, 'api.lost', partial, '{fact}'],
  'import-halted': [1, 'import.halted', major, 'the import has stopped. {fact}'],
  'import-absent': [45_000, 'import.absentMs', major, 'the import has not been heard of for 45 s. {fact}'],
  'import-lost': [1, 'import.lost', major, 'the import has ended without notice'],
  'import-source': [1, 'import.sourceFails', partial, 'the stream files cannot be read. {fact}'],
  'import-behind': [
    95_000,
    'import.behindMs',
    degraded,
    'transactions are stored 95 s after their consensus, and the delay does not shrink',
  ],
  'import-slow': [2500, 'import.blockMs', degraded, 'storing one block takes 2.5 s'],
  'import-rejects': [
    0.08,
    'import.rejectedShare',
    partial,
    '8 % of the files and signatures are not what the network signed',
  ],
  'import-silent': [150_000, 'import.silentMs', partial, 'no block has been stored for 150 s'],
  'import-long-silent': [1_200_000, 'import.silentMs', major, 'no block has been stored for 20 minutes'],
  'stream-gap': [30_000, 'stream.gapMs', degraded, 'a file has been missing for 30 s. {fact}'],
  'stream-long-gap': [900_000, 'stream.gapMs', partial, 'a file has been missing for 15 minutes. {fact}'],
  'stream-broken': [1, 'stream.broken', major, 'a file is not what the network signed. {fact}'],
  'stream-unread': [
    1,
    'stream.unread',
    degraded,
    'the network has published a ledger id in a form that is not known here. {fact}',
  ],
  'stream-untrusted-soon': [
    1,
    'stream.untrusted',
    degraded,
    'no ledger id is known that blocks of a block stream could be verified with. {fact}',
  ],
  'stream-untrusted': [2, 'stream.untrusted', major, 'new blocks are stored without a proof. {fact}'],
  'database-slow': [1400, 'database.probeMs', degraded, 'a small query takes 1.4 s'],
  'database-crowded': [0.9, 'database.busyShare', degraded, '90 % of the connections to the database are in use'],
  'database-replicas': [1, 'database.placesLost', degraded, '{fact}'],
  'database-machines': [1, 'database.machinesLost', partial, '{fact}'],
  'database-filling': [
    1,
    'database.filling',
    partial,
    'it is being filled from an export: until that has ended, answers are incomplete',
  ],
  'database-filling-ended': [
    2,
    'database.filling',
    major,
    'filling it from an export was interrupted: answers are incomplete until "bootstrap" has gone on to its end',
  ],
  'database-write': [1, 'database.writeFails', partial, 'the database does not take new data. {fact}'],
  'database-down': [1, 'database.down', major, 'the database does not answer'],
  'verification-slow': [
    30_000,
    'verification.checkMs',
    degraded,
    'a small contract takes 30 s to be compiled and compared',
  ],
  'verification-waits': [
    240_000,
    'verification.waitMs',
    degraded,
    'a contract has been waiting for its verification for 240 s',
  ],
  'verification-waits-long': [
    700_000,
    'verification.waitMs',
    partial,
    'a contract has been waiting for its verification for 11 minutes',
  ],
  'verification-down': [1, 'verification.down', major, 'a contract that is known to match cannot be verified. {fact}'],
  'network-silent': [180_000, 'network.silentMs', partial, 'no new file for 180 s'],
  'network-long-silent': [3_700_000, 'network.silentMs', major, 'no new file for 61 minutes'],
};

it.each(Object.entries(sentences))('%s', (name, [value, signal, state, reason]) => {
  const rule = levels[name]!;
  expect(rule.signal).toBe(signal);
  const rehearsal = createRehearsal();
  // Shown once a mirror has reported of it.
  if (rule.component === 'verification') {
    rehearsal.pass(10, { 'verification.down': 0 });
    rehearsal.say((status, now) => ({ state: setUpStatus(status, page, now) }));
  }
  rehearsal.pass(rule.holdMs / 1000 + 10, { [signal]: value }, { [signal]: fact });
  const { measured, reason: said } = rehearsal.component(rule.component);
  expect([measured, said]).toEqual([state, reason.replace('{fact}', fact)]);
});

test('these are all of the rules', () => {
  expect(Object.keys(sentences).sort()).toEqual(Object.keys(levels).sort());
});
