import { describe, expect, it } from 'vitest';
import {
  importTransactions,
  type TransactionLiteral,
  timestampAt,
} from '../../../../packages/test-support/streams/import-transactions.ts';
import { proto } from '../../../protocol/hapi/hapi.ts';

const fileID = { fileNum: 900 };

describe('files', () => {
  it('keep their facts and every piece of their bytes', async () => {
    const keys = { keys: [{ ed25519: Buffer.alloc(32, 2) }] };
    const { rows, problems } = await importTransactions([
      {
        body: { fileCreate: { contents: Buffer.of(1), keys, memo: 'f', expirationTime: { seconds: 9 } } },
        receipt: { fileID },
      },
      { body: { fileAppend: { fileID, contents: Buffer.of(2) } } },
      { body: { fileUpdate: { fileID, memo: { value: 'g' } } } },
      { body: { fileDelete: { fileID } } },
      { body: { fileAppend: { fileID, contents: Buffer.of(3) } }, status: 32 },
    ]);
    expect(problems).toEqual([]);
    expect(
      rows('file_data').map((row) => [row.consensus_timestamp, row.entity_id, row.file_data, row.transaction_type]),
    ).toEqual([
      [timestampAt(0), 900n, Buffer.of(1), 17],
      [timestampAt(1), 900n, Buffer.of(2), 16],
      [timestampAt(2), 900n, Buffer.of(), 19],
    ]);
    const range = (from: number, to: number | null) => ({
      from: timestampAt(from),
      to: to === null ? null : timestampAt(to),
    });
    expect(rows('entity')).toMatchObject([
      {
        id: 900n,
        type: 'FILE',
        key: proto.KeyList.encode(keys as never).finish(),
        memo: 'f',
        expiration_timestamp: 9_000_000_000n,
        timestamp_range: range(0, 2),
      },
      { memo: 'g', deleted: false, timestamp_range: range(2, 3), expiration_timestamp: 9_000_000_000n },
      { memo: 'g', deleted: true, timestamp_range: range(3, null) },
    ]);
  });
});

describe('address books', () => {
  const book = Buffer.from(
    proto.NodeAddressBook.encode({
      nodeAddress: [
        {
          nodeAccountId: { accountNum: 3 },
          RSA_PubKey: '30aa',
          memo: Buffer.from('0.0.3'),
          serviceEndpoint: [{ ipAddressV4: Buffer.of(10, 0, 0, 1), port: 50211, domainName: 'node.example' }],
        },
        { nodeAccountId: { accountNum: 4 }, nodeId: 1, description: 'second', stake: 12 },
      ],
    } as never).finish(),
  );
  const bookID = { fileNum: 102 };
  const update = (contents: Buffer): TransactionLiteral => ({ body: { fileUpdate: { fileID: bookID, contents } } });
  const append = (contents: Buffer): TransactionLiteral => ({ body: { fileAppend: { fileID: bookID, contents } } });

  it('hold from the nanosecond after the transaction that completes them', async () => {
    const { rows, problems } = await importTransactions([update(book.subarray(0, 40)), append(book.subarray(40))], {
      addressBookStarts: new Map([[102n, 1n]]),
    });
    expect(problems).toEqual([]);
    const start = timestampAt(1) + 1n;
    expect(rows('address_book')).toEqual([
      { start_consensus_timestamp: 1n, end_consensus_timestamp: timestampAt(1) },
      { file_data: book, file_id: 102n, node_count: 2, start_consensus_timestamp: start },
    ]);
    expect(rows('address_book_entry')).toMatchObject([
      { consensus_timestamp: start, node_id: 0n, node_account_id: 3n, public_key: '30aa', memo: '0.0.3' },
      { consensus_timestamp: start, node_id: 1n, node_account_id: 4n, description: 'second', stake: 12n },
    ]);
    expect(rows('address_book_service_endpoint')).toEqual([
      { consensus_timestamp: start, node_id: 0n, ip_address_v4: '10.0.0.1', port: 50211, domain_name: 'node.example' },
    ]);
    expect(rows('file_data')).toHaveLength(2);
  });

  it('continue what earlier blocks stored', async () => {
    const files = new Map([[102n, book.subarray(0, 40)]]);
    const { rows } = await importTransactions([append(book.subarray(40))], { files });
    expect(rows('address_book')).toMatchObject([{ file_data: book, node_count: 2 }]);
  });

  it('follow each other within a block', async () => {
    const { rows } = await importTransactions([update(book), update(book)]);
    expect(rows('address_book')).toMatchObject([
      { start_consensus_timestamp: timestampAt(0) + 1n, end_consensus_timestamp: timestampAt(1), node_count: 2 },
      { start_consensus_timestamp: timestampAt(1) + 1n },
    ]);
  });

  it('are not made of other files, of parts, or by failures', async () => {
    const other = { body: { fileUpdate: { fileID: { fileNum: 103 }, contents: book } } };
    const literals = [other, update(book.subarray(0, 40)), { ...update(book), status: 10 }];
    expect((await importTransactions(literals)).rows('address_book')).toEqual([]);
  });
});
