// What calls, traces and prestates ask of the store: accounts, slots, tokens and what belongs to them, now and as of a
// time.

import type { FactKey } from '../../packages/machine/state/ledger-facts.ts';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { selectPastNonces } from '../../packages/store/read/state/select-past-nonces.ts';
import { selectStateBlock } from '../../packages/store/read/state/select-state-block.ts';
import { selectParties, selectTouchedSlots } from '../../packages/store/read/state/select-touched.ts';
import { selectChildren } from '../../packages/store/read/state/select-unit.ts';
import { busySerial, nftToken } from '../../packages/test-support/rows/fill-accounts.ts';
import { firstTimestamp, hotAccount, hotContract, quietAccount } from '../../packages/test-support/rows/fill-ledger.ts';
import { createBalanceSnapshots } from '../../src/calls/facts/balance-snapshots.ts';
import { createCodeCache } from '../../src/calls/facts/code-cache.ts';
import { createFactSource } from '../../src/calls/facts/fetch-facts.ts';
import { pastAt, presentAt } from '../../src/calls/facts/moment.ts';
import { createSystemFiles } from '../../src/calls/facts/system-files.ts';

export type StateQuestion = [name: string, ask: (db: Database) => Promise<unknown>];

const parties = [hotAccount, quietAccount, hotContract, 1510n];
const tokens = [nftToken, 100_001n, 100_700n];

const keys: readonly FactKey[] = [
  ...tokens.flatMap((token): FactKey[] => [
    { kind: 'token', token },
    { kind: 'lastSerial', token },
    { kind: 'nft', token, serial: busySerial },
    ...parties.map((account) => ({ kind: 'relation', token, account }) as const),
    { kind: 'tokenAllowance', token, owner: hotAccount, spender: 1001n },
    { kind: 'nftAllowance', token, owner: hotAccount, spender: 1001n },
  ]),
  { kind: 'hbarAllowance', owner: hotAccount, spender: 1001n },
  ...parties.flatMap((account): FactKey[] => [
    { kind: 'owner', account },
    { kind: 'holdings', account },
  ]),
  { kind: 'schedule', schedule: 103_010n },
];
const supplies = tokens.map((token) => ({ kind: 'supply', token, isFungible: token !== nftToken }) as const);

export function stateQuestions(middle: bigint): StateQuestion[] {
  const at = middle - ((middle - firstTimestamp) % 4_000_000_000n);
  const source = async (db: Database, until: bigint | null) => {
    const block = (await selectStateBlock(db, { around: middle }))!;
    return createFactSource({
      ...{ db, moment: until === null ? presentAt(block) : pastAt(until, block), system: usualRealm },
      ...{ codes: createCodeCache(2 ** 20), files: createSystemFiles(usualRealm) },
      snapshots: createBalanceSnapshots(usualRealm),
    });
  };
  const slots = parties.flatMap((num) => [1n, 2n ** 255n].map((slot) => ({ num, slot })));
  return [
    ...[null, middle].flatMap((until): StateQuestion[] => {
      const when = until === null ? 'now' : 'as of T';
      return [
        [
          `accounts ${when}`,
          async (db) => (await source(db, until))({ addresses: [...parties], slots: [], blocks: [5n], keys: [] }),
        ],
        [`slots ${when}`, async (db) => (await source(db, until))({ addresses: [], slots, blocks: [], keys: [] })],
        [
          `facts of tokens ${when}`,
          async (db) => (await source(db, until))({ addresses: [], slots: [], blocks: [], keys: [...keys] }),
        ],
      ];
    }),
    [
      'supplies as of T',
      async (db) => (await source(db, middle))({ addresses: [], slots: [], blocks: [], keys: [...supplies] }),
    ],
    ['nonces as of T', (db) => selectPastNonces(db, parties, middle)],
    ['parties', (db) => selectParties(db, { consensusTimestamp: at, payerAccountId: hotAccount }, 1000)],
    ...[true, false].map(
      (written): StateQuestion => [
        `touched slots, ${written}`,
        (db) => selectTouchedSlots(db, at, { written, limit: 1000 }),
      ],
    ),
    ['children of a transaction', (db) => selectChildren(db, { payerAccountId: hotAccount, consensusTimestamp: at })],
  ];
}
