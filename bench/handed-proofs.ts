// What a proof costs that is handed over, beside the answer about its transaction: processor time of this process,
// requests without a port and without the cache of answers. And what --keep-proofs stores. On a shared machine only the
// ratios of one run hold.
//
//   node scripts/run.mjs bench/handed-proofs.ts [--blocks 40] [--transactions 20] [--rounds 5]
import { parseArgs } from 'node:util';
import { openDatabase } from '../packages/postgres/wire/database.ts';
import { createFolderSource } from '../packages/sources/folder-source.ts';
import { createBlockWriter } from '../packages/store/write/block-writer.ts';
import { openServer } from '../packages/test-support/http/open-server.ts';
import { createScratchDatabase } from '../packages/test-support/postgres/scratch-database.ts';
import { importStream } from '../src/importer/import-stream.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { simulatedStream } from './support/simulated-stream.ts';

/** × of GET transactions/{id}. */
const wantedRatio = 2;

const { values: options } = parseArgs({
  options: {
    blocks: { type: 'string', default: '40' },
    transactions: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '5' },
  },
});
const [blocks, transactionsPerBlock] = [Number(options.blocks), Number(options.transactions)];
const path = await simulatedStream({ format: 'blocks', blocks, transactionsPerBlock, nodes: 4 }, false);
const scratch = await createScratchDatabase();
const db = openDatabase(scratch);
const writer = await createBlockWriter(scratch);
const source = createFolderSource({ path });
await importStream({ source, db, writer, addressBook: null, live: false, keepsFiles: true });
await writer.close();
const app = openServer(db, 'spec', {});

type Sizes = { transactions: bigint; blocks: bigint; kept: bigint; unpacked: bigint };
const [sizes] = await db.query<Sizes>({
  name: '',
  text: `select (select count(*) from transaction) as transactions, (select count(*) from record_file) as blocks,
  (select sum(octet_length(bytes))::int8 from kept_stream_file) as kept, (select sum(size)::int8 from record_file) as unpacked`,
});
const names = await db.query<{ id: string }>({
  name: '',
  text: `select '0.0.' || (payer_account_id & ((1::int8 << 38) - 1)) || '-' || valid_start_ns / 1000000000 || '-' ||
  lpad((valid_start_ns % 1000000000)::text, 9, '0') as id from transaction where nonce = 0 and not scheduled
order by consensus_timestamp desc limit 200`,
});

const forms = { transaction: '', single: '/proof?items=single', all: '/proof?items=all' };
type Form = keyof typeof forms;
const best: Record<Form, number> = { transaction: Infinity, single: Infinity, all: Infinity };
const bytes: Record<Form, number> = { transaction: 0, single: 0, all: 0 };
for (let round = 0; round <= Number(options.rounds); round++) {
  for (const form of Object.keys(forms) as Form[]) {
    const begun = process.cpuUsage();
    bytes[form] = 0;
    for (const { id } of names) {
      const { statusCode, body } = await app.inject(`/api/v1/transactions/${id}${forms[form]}`);
      if (statusCode !== 200) throw new Error(`${id}${forms[form]}: ${statusCode} ${body}`);
      bytes[form] += body.length / names.length;
    }
    const { user, system } = process.cpuUsage(begun);
    // The first round opens the blocks.
    if (round > 0) best[form] = Math.min(best[form], (user + system) / 1000 / names.length);
  }
}
await app.close();
await db.close();
await scratch.close();

printTable(
  ['answer', 'ms of CPU', '× of the transaction', 'wanted', 'bytes'],
  (Object.keys(forms) as Form[]).map((form) => [
    form,
    formatFigure(best[form]),
    formatFigure(best[form] / best.transaction),
    form === 'transaction' ? '' : `${wantedRatio}`,
    `${Math.round(bytes[form])}`,
  ]),
);
const { transactions, kept, unpacked } = sizes!;
console.log(
  `\nKept: ${kept} bytes of ${sizes!.blocks} blocks (${unpacked} as stored in the source), ${kept / transactions} bytes a transaction`,
);
