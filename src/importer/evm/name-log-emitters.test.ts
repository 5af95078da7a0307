import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBlockRows } from '../rows/block-rows.ts';
import { nameLogEmitters } from './name-log-emitters.ts';

it('every transaction of a contract names all that took part and all that have a log, each in a row', () => {
  const ids = fc.uniqueArray(fc.bigInt({ min: 0n, max: 5n }), { maxLength: 4 });
  const transaction = fc.record({
    participants: ids,
    emitters: fc.array(fc.bigInt({ min: 3n, max: 8n }), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 4 }), fc.boolean(), (transactions, isSplit) => {
      const rows = createBlockRows();
      for (const [index, { participants }] of transactions.entries()) {
        for (const entity_id of participants) {
          const facts = { consensus_timestamp: BigInt(index), payer_account_id: 9n };
          rows.insert('contract_transaction', { ...facts, entity_id, contract_ids: [...participants] });
        }
      }
      if (isSplit) rows.operation({ kind: 'none' } as never);
      for (const [index, { emitters }] of transactions.entries()) {
        for (const [position, contract_id] of emitters.entries()) {
          const facts = { bloom: Buffer.of(0), data: Buffer.of(0), index: position, payer_account_id: 9n };
          rows.insert('contract_log', { ...facts, consensus_timestamp: BigInt(index), contract_id });
        }
      }
      nameLogEmitters(rows);
      const stored = rows.inserted('contract_transaction');
      for (const [index, { participants, emitters }] of transactions.entries()) {
        const own = stored.filter(({ consensus_timestamp }) => consensus_timestamp === BigInt(index));
        // The transfer of a token alone is no transaction of a contract.
        const expected = participants.length === 0 ? [] : [...new Set([...participants, ...emitters])];
        expect(own.map(({ entity_id }) => entity_id)).toEqual(expected);
        for (const row of own) expect(row).toMatchObject({ contract_ids: expected, payer_account_id: 9n });
      }
    }),
  );
});
