import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import {
  importTransactions,
  type TransactionLiteral,
  timestampAt,
} from '../../../../packages/test-support/streams/import-transactions.ts';

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
  const keyOf = (type: 'rsa' | 'ec') =>
    (type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
    ).publicKey
      .export({ format: 'der', type: 'spki' })
      .toString('hex');
  const rsaKey = keyOf('rsa');
  const bookOf = (...keys: string[]) =>
    Buffer.from(
      proto.NodeAddressBook.encode({
        nodeAddress: [
          {
            nodeAccountId: { accountNum: 3 },
            RSA_PubKey: keys[0],
            memo: Buffer.from('0.0.3'),
            serviceEndpoint: [{ ipAddressV4: Buffer.of(10, 0, 0, 1), port: 50211, domainName: 'node.example' }],
          },
          { nodeAccountId: { accountNum: 4 }, nodeId: 1, description: 'second', stake: 12, RSA_PubKey: keys[1] },
        ],
      } as never).finish(),
    );
  const book = bookOf(rsaKey, rsaKey);
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
      { consensus_timestamp: start, node_id: 0n, node_account_id: 3n, public_key: rsaKey, memo: '0.0.3' },
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

  it.each([
    ['empty', ''],
    ['of other text', 'none'],
    ['cut off', rsaKey.slice(0, 40)],
    ['of another kind', keyOf('ec')],
  ])('of 102 stay as they are where every key of the next one is %s', async (_name, key) => {
    const keyless = bookOf(key, key);
    const appended = update(keyless.subarray(0, 30));
    for (const writes of [[update(keyless)], [appended, append(keyless.subarray(30))]]) {
      const { rows, problems } = await importTransactions([update(book), ...writes, update(book)]);
      expect(problems.map(({ problem }) => problem)).toEqual([
        expect.stringContaining(
          'expected a node with a readable key, found none of 2; the address book before it stays valid',
        ),
      ]);
      const last = writes.length + 1;
      expect(rows('address_book')).toMatchObject([
        { start_consensus_timestamp: timestampAt(0) + 1n, end_consensus_timestamp: timestampAt(last) },
        { start_consensus_timestamp: timestampAt(last) + 1n, file_data: book },
      ]);
      expect(rows('file_data')).toHaveLength(last + 1);
    }
    // Nobody signs by the keys of the file 101.
    const ofClients = { body: { fileUpdate: { fileID: { fileNum: 101 }, contents: keyless } } };
    const { rows, problems } = await importTransactions([ofClients]);
    expect([problems, rows('address_book').length]).toEqual([[], 1]);
  });

  it('are taken over with a node that has no readable key, which is named', async () => {
    const { rows, problems } = await importTransactions([update(bookOf(rsaKey, 'none'))]);
    expect(problems.map(({ problem }) => problem)).toEqual([
      'the address book has no readable key of node 1: signatures of it are not counted',
    ]);
    expect(rows('address_book_entry')).toMatchObject([{ node_id: 0n }, { node_id: 1n, public_key: 'none' }]);
  });

  it('are not made of other files, of parts, or by failures', async () => {
    const other = { body: { fileUpdate: { fileID: { fileNum: 103 }, contents: book } } };
    const literals = [other, update(book.subarray(0, 40)), { ...update(book), status: 10 }];
    expect((await importTransactions(literals)).rows('address_book')).toEqual([]);
  });
});
