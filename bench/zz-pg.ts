import { openDatabase } from '../src/store/wire/database.ts';
import { openLargeLedger, sizeOf } from './support/large-ledger.ts';
import { addCalledContracts } from './support/called-contracts.ts';
import { withBlockEnd } from '../src/store/read/state/with-block-end.ts';
import { postgresCpuSeconds } from './support/postgres-cpu.ts';
import { selectNewestStateBlock } from '../src/store/read/state/select-state-block.ts';
import { selectStateAccounts } from '../src/store/read/state/select-state-accounts.ts';
import { selectStateTokens, selectStateRelations } from '../src/store/read/state/select-state-tokens.ts';
const size = sizeOf(0.25);
const ledger = await openLargeLedger(size, 0.25);
const c = await addCalledContracts(ledger.connectionString, size);
const db = openDatabase({ connectionString: ledger.connectionString });
const r = c.relations; let i = 0; const next = () => r[i++ % r.length]!;
const kinds: Record<string, () => Promise<unknown>> = {
  newest: () => selectNewestStateBlock(db),
  newestPlain: () => db.query({ name: 'np', text: 'select consensus_end from record_file order by consensus_end desc limit 1', reads: true }),
  one: () => db.query({ name: 'one', text: 'select 1', reads: true }),
  snapshotNone: () => db.snapshot(async () => {}),
  snapshotOne: () => db.snapshot((o) => o.query({ name: 'one', text: 'select 1', reads: true })),
  accounts: () => selectStateAccounts(db, { ids: [2n, next().token], addresses: [] }, null),
  tokens: () => selectStateTokens(db, [next().token], null),
  relations: () => { const { token, holder } = next(); return selectStateRelations(db, [[token, holder]], null); },
  told: () => { const { token, holder } = next(); const t = withBlockEnd(db, () => {}); return Promise.all([selectStateAccounts(t, { ids: [2n, token], addresses: [] }, null), selectStateTokens(t, [token], null), selectStateRelations(t, [[token, holder]], null)]); },
  all: () => db.snapshot(async (o) => { const { token, holder } = next(); return Promise.all([selectNewestStateBlock(o), selectStateAccounts(o, { ids: [2n, token], addresses: [] }, null), selectStateTokens(o, [token], null), selectStateRelations(o, [[token, holder]], null)]); }),
};
for (const [name, run] of Object.entries(kinds)) {
  const loop = async (n: number) => { let left = n; await Promise.all(Array.from({ length: 8 }, async () => { while (left-- > 0) await run(); })); };
  await loop(800);
  const b = postgresCpuSeconds(ledger.dataFolder)!; const u = process.cpuUsage();
  const n = 3000; await loop(n);
  const own = process.cpuUsage(u);
  console.log(name.padEnd(14), 'pg', ((postgresCpuSeconds(ledger.dataFolder)! - b) * 1000 / n).toFixed(4), 'own', ((own.user + own.system) / 1000 / n).toFixed(4));
}
await db.close(); await c.close(); await ledger.stop();
