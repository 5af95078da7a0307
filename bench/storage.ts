// What a transaction costs on disk: bytes of tables and indexes, of our schema and of the Hiero mirror node's over the
// same rows, and of ours in the compact form, for three mixes of transactions. Rows are made by SQL, with all indexes in place, in the order of time, as
// an import at the head writes them. With --used also which indexes no statement of the product follows. PostgreSQL 15 is
// that of Debian.
//
//   node scripts/run.mjs bench/storage.ts [--mix messages,defi,tokens] [--transactions 100000] [--postgres 18|15]
//     [--used] [--output <file>]
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { compactRows, makeCompact } from '../packages/store/compact/compact-rows.ts';
import { toHieroLayout } from '../test/support/tables/hiero-layout.ts';
import { type MeasuredStorage, measureStorage } from './storage/measure-storage.ts';
import { type MixName, mixes, sizeOfMix } from './storage/mixes.ts';
import { openDatabases, postgresVersions } from './storage/open-databases.ts';
import { formatStorage } from './storage/storage-tables.ts';
import { findUnusedIndexes } from './storage/unused-indexes.ts';
import { describeCommit, describeMachine, readPostgresVersion } from './support/describe-machine.ts';
import { fillLargeLedger, fillStatements } from './support/large-ledger.ts';

const { values: options } = parseArgs({
  options: {
    mix: { type: 'string', default: Object.keys(mixes).join() },
    transactions: { type: 'string', default: '100000' },
    postgres: { type: 'string', default: '18' },
    used: { type: 'boolean', default: false },
    output: { type: 'string' },
  },
});
const transactions = Number(options.transactions);
if (!(transactions >= 1_000)) throw new Error(`--transactions takes 1000 or more, not ${options.transactions}`);

/** Indexes of ours that it does not have. */
const notOfHiero = ['contract_state_change_contract_id_consensus_timestamp_idx'];

const postgres = postgresVersions.find((one) => one === options.postgres);
if (postgres === undefined)
  throw new Error(`--postgres takes ${postgresVersions.join(' or ')}, not ${options.postgres}`);
const databases = await openDatabases(postgres);

const parts: string[] = [];
let version = 'unknown';
for (const mix of options.mix.split(',').map(readMix)) {
  const layouts = {
    hiero: await measure(mix, 'hiero'),
    ours: await measure(mix, 'ours'),
    compact: await measure(mix, 'compact'),
  };
  parts.push(`### ${mixes[mix].title}`, formatStorage({ transactions, ...layouts }));
}
await databases.close();
if (options.used) parts.push('### Indexes that no statement follows', await findUnusedIndexes());
const text = [
  '# What a transaction costs on disk',
  `\`bench/storage.ts --mix ${options.mix} --transactions ${transactions}\`: ${new Date().toISOString().slice(0, 10)}, commit ${describeCommit(
    fileURLToPath(new URL('..', import.meta.url)),
  )}, ${describeMachine().cpu}, PostgreSQL ${version}. Bytes a transaction; tables with what is stored outside of their rows.`,
  ...parts,
].join('\n\n');
if (options.output === undefined) console.log(text);
else writeFileSync(options.output, `${text}\n`);
process.exit(0);

async function measure(mix: MixName, layout: 'hiero' | 'ours' | 'compact'): Promise<MeasuredStorage> {
  const scratch = await databases.open();
  const client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  try {
    version = await readPostgresVersion(scratch.connectionString);
    // Before the first row: a column that is dropped later leaves its bytes.
    if (layout === 'hiero') {
      await toHieroLayout(client, 'v1');
      for (const index of notOfHiero) await client.query(`drop index ${index}`);
    }
    const size = sizeOfMix(mix, transactions);
    await fillLargeLedger(scratch.connectionString, size, fillStatements(size, { isPacked: layout !== 'hiero' }));
    // Neither writes it unless it is told to.
    await client.query('truncate entity_transaction');
    if (layout === 'compact') {
      await makeCompact(scratch.connectionString);
      await compactRows({ connectionString: scratch.connectionString, before: 2n ** 62n });
    }
    await client.query('vacuum analyze');
    return await measureStorage(client);
  } finally {
    await client.end();
    await scratch.close();
  }
}

function readMix(text: string): MixName {
  if (!(text in mixes)) throw new Error(`--mix takes ${Object.keys(mixes).join(', ')}, not ${text}`);
  return text as MixName;
}
