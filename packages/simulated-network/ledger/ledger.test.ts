import { serialize } from 'node:v8';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankAccount } from './blank-account.ts';
import { createEmptyTables, createLedger } from './ledger.ts';

const step = fc.record({
  account: fc.bigInt({ min: 1n, max: 6n }),
  balance: fc.bigInt({ min: 0n, max: 1000n }),
  remove: fc.boolean(),
  rollback: fc.boolean(),
});

test('what is rolled back never happened, and balance changes are the difference to the mark', () => {
  fc.assert(
    fc.property(fc.array(step), fc.array(step), (before, after) => {
      const tables = createEmptyTables();
      const ledger = createLedger(tables);
      const play = ({ account, balance, remove }: (typeof before)[number]) => {
        if (remove) ledger.remove('accounts', account);
        else ledger.put('accounts', account, { ...blankAccount(account, 0n), balance });
      };
      before.forEach(play);
      const balances = () => new Map([...tables.accounts].map(([id, { balance }]) => [id, balance]));
      const saved = balances();
      const mark = ledger.mark();
      for (const one of after) {
        const inner = ledger.mark();
        play(one);
        if (one.rollback) ledger.rollback(inner);
      }
      const now = balances();
      for (const { account, amount } of ledger.balanceChanges(mark).hbar) {
        expect(amount).toBe((now.get(account) ?? 0n) - (saved.get(account) ?? 0n));
        now.delete(account);
        saved.delete(account);
      }
      for (const id of new Set([...now.keys(), ...saved.keys()])) expect(now.get(id) ?? 0n).toBe(saved.get(id) ?? 0n);
      ledger.rollback(mark);
      expect(ledger.balanceChanges(mark)).toEqual({ hbar: [], tokens: [] });
    }),
  );
});

test('the tables can be written down', () => {
  const tables = createEmptyTables();
  const ledger = createLedger(tables);
  ledger.put('accounts', 7n, blankAccount(7n, 1n));
  expect(() => serialize(tables)).not.toThrow();
  expect(ledger.take('nextEntity')).toBe(1001n);
  expect(ledger.take('nextEntity')).toBe(1002n);
});
