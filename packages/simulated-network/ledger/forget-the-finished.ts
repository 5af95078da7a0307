// Keeps the state small however long the network runs: of executed schedules, deleted entities and settled tokens only
// the newest stay. Rows with a balance are never removed.
import type { Ledger, TableName } from './ledger.ts';

const remembered = 200;

export function forgetTheFinished(ledger: Ledger): void {
  const { schedules, accounts, files, topics, tokens, relations, storage, allowances } = ledger.tables;
  forget(
    ledger,
    'schedules',
    [...schedules.values()].filter(({ state }) => state !== 'pending'),
  );
  forget(
    ledger,
    'files',
    [...files.values()].filter(({ deleted }) => deleted),
  );
  forget(
    ledger,
    'topics',
    [...topics.values()].filter(({ deleted }) => deleted),
  );
  const gone = forget(
    ledger,
    'accounts',
    [...accounts.values()].filter(({ deleted, balance }) => deleted && balance === 0n),
  );
  if (gone > 0) {
    // Keys of these tables begin with the account.
    for (const name of ['relations', 'storage', 'allowances'] as const) {
      const keys = { relations, storage, allowances }[name].keys();
      for (const key of keys) if (!accounts.has(BigInt(key.slice(0, key.indexOf(':'))))) ledger.remove(name, key);
    }
  }
  if (tokens.size < remembered) return;
  const held = new Set([...relations.values()].filter(({ balance }) => balance > 0n).map(({ token }) => token));
  const over = [...tokens.values()].filter(({ id, deleted }) => deleted && !held.has(id));
  forget(ledger, 'tokens', over);
  for (const [key, { token }] of relations) if (!tokens.has(token)) ledger.remove('relations', key);
}

function forget(
  ledger: Ledger,
  table: TableName & ('schedules' | 'files' | 'topics' | 'accounts' | 'tokens'),
  rows: { id: bigint }[],
): number {
  const over = rows.slice(0, Math.max(0, rows.length - remembered));
  for (const { id } of over) ledger.remove(table, id);
  return over.length;
}
