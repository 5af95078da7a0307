import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import { createBlockWriter } from '../../../packages/store/write/block-writer.ts';
import { nameOfQuestion, type StateQuestion } from '../../../packages/streams/stream/state-question.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../packages/test-support/postgres/scratch-database.ts';
import { padWord, trimWord } from '../columns/stored-values.ts';
import { selectStateBefore } from './select-state-before.ts';

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase();
});
afterAll(() => scratch.close());

test('a slot of the opening state that is written later still has its first value before that', async () => {
  const written = 1_790_000_000_000_000_100n;
  const slot = (hex: string) => Buffer.from(padWord(Buffer.from(hex, 'hex')));
  const opening = written - 1_000n;
  // The last one is made when the others are written.
  const slots = [
    { slot: slot('00'), created: opening, before: '0a' },
    { slot: slot('01'), created: opening, before: '0b' },
    { slot: slot('0100'), created: opening, before: '' },
    { slot: slot('02'), created: written, before: '' },
  ];
  const value = Buffer.from('63', 'hex');
  const writer = await createBlockWriter({ connectionString: scratch.connectionString });
  const block = {
    ...{
      consensus_start: written - 10n,
      consensus_end: written,
      count: 1n,
      digest_algorithm: 0,
      index: 1n,
      version: 7,
    },
    ...{ file_hash: '', hash: 'aa', prev_hash: 'bb', name: '', load_start: 0n, load_end: 0n },
  };
  await writer.writeBlock({
    parts: [
      {
        contract_state: slots.map(({ slot, created }) => ({
          ...{ contract_id: 7n, slot, value, created_timestamp: created, modified_timestamp: written },
        })),
        contract_state_change: slots.map(({ slot, before }) => ({
          ...{ consensus_timestamp: written, contract_id: 7n, payer_account_id: 2n, slot: trimWord(slot) },
          ...{ value_read: Buffer.from(before, 'hex'), value_written: value },
        })),
        record_file: [block],
      },
    ],
  });
  await writer.close();
  const db = openDatabase({ connectionString: scratch.connectionString });
  const keys = [...slots.map(({ slot }) => slot), slot('03')];
  const questions: StateQuestion[] = keys.map((key) => ({ kind: 'slot', place: { contractId: 7n }, key }));
  const valuesBefore = async (moment: bigint) => {
    const answers = await selectStateBefore(db, questions, moment);
    return questions.map((question) => {
      const answer = answers.get(nameOfQuestion(question)) as Uint8Array | null;
      return answer && Buffer.from(answer).toString('hex');
    });
  };
  expect(await valuesBefore(written - 10n)).toEqual(['0a', '0b', '', null, null]);
  expect(await valuesBefore(written + 1n)).toEqual(['63', '63', '63', '63', null]);
  await db.close();
});
