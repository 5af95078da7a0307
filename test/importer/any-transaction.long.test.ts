// Nothing that a transaction can hold ends an import or finds a defect: transactions, results and sidecars with
// anything in them go through decoder and importer into the database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { isSuccess, responseCode } from '../../packages/protocol/hapi/response-codes.ts';
import { transactionTypes } from '../../packages/protocol/hapi/transaction-types.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { decodeTransactionItem } from '../../packages/streams/record-stream/decode-transaction-item.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { importBlockRows, toBlock } from '../../packages/test-support/streams/import-transactions.ts';
import { writeBlocks } from '../../src/importer/write-blocks.ts';
import { createRandomMessages } from '../support/random/random-message.ts';

let database: ScratchDatabase;
beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database.close());

const itemsAType = 40;

describe('any transaction', () => {
  it('is stored, whatever its fields hold', { timeout: 300_000 }, async () => {
    const writer = await createBlockWriter({ connectionString: database.connectionString });
    try {
      let nanos = 0;
      for (const { bodyField, number } of transactionTypes) {
        const random = createRandomMessages(bodyField);
        const items = Array.from({ length: itemsAType }, (_, index) => makeItem(random, bodyField, index, nanos++));
        const block = { ...toBlock(items), blockNumber: BigInt(number) };
        const { changes, problems, rows } = await importBlockRows(block);
        const defects = problems.filter(({ defect }) => defect);
        expect(defects.map(({ defect }) => `${bodyField}: ${defect?.stack}`)).toEqual([]);
        expect(rows('transaction').length).toBe(itemsAType);
        await writeBlocks(writer, [{ changes, block: { name: bodyField, number: 1n } }], () => {});
      }
    } finally {
      await writer.close();
    }
    const db = openDatabase({ connectionString: database.connectionString, maxConnections: 1 });
    const [row] = await db.query<{ count: bigint }>({
      name: 'count',
      text: 'select count(*) as count from transaction',
    });
    await db.close();
    expect(row!.count).toBe(BigInt(itemsAType * transactionTypes.length));
  });
});

function makeItem(
  { type, make }: ReturnType<typeof createRandomMessages>,
  bodyField: string,
  index: number,
  nanos: number,
) {
  const bodyType = type('proto.TransactionBody');
  const field = bodyType.oneofs.data!.fieldsArray.find(({ name }) => name === bodyField);
  const body = make(bodyType, 'any');
  for (const { name } of bodyType.oneofs.data!.fieldsArray) delete body[name];
  if (field) body[bodyField] = make(field.resolvedType as never, 'any');
  const record = make(type('proto.TransactionRecord'), 'moderate');
  record.consensusTimestamp = { seconds: 1_700_000_000, nanos };
  delete record.parentConsensusTimestamp;
  record.receipt = { ...(record.receipt as object), ...(index % 4 === 3 ? {} : { status: responseCode.SUCCESS }) };
  const { item, problem } = decodeTransactionItem(
    {
      transaction: Buffer.from(proto.Transaction.encode({ bodyBytes: bodyType.encode(body).finish() }).finish()),
      record: Buffer.from(type('proto.TransactionRecord').encode(record).finish()),
    },
    index,
  );
  if (problem) throw new Error(problem);
  const sidecarType = type('proto.TransactionSidecarRecord');
  const sidecar = proto.TransactionSidecarRecord.decode(sidecarType.encode(make(sidecarType, 'any')).finish());
  return { ...item, sidecars: isSuccess(item.status) ? [sidecar] : [] };
}
