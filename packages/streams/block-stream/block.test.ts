// What a block says of itself before anything else of it can be read.
import { expect, it } from 'vitest';
import { toTimestampMessage } from '../../protocol/hapi/timestamp.ts';
import { bytesField, intField } from '../../protocol/wire-writer.ts';
import { join, transaction } from '../../test-support/streams/block-items.ts';
import { toBlock } from './block.ts';
import { itemKinds, writeItem } from './block-item.ts';

const blockWith = (digest: number, hashLength: number) => [
  writeItem(itemKinds.blockHeader, join(intField(3, 7), bytesField(4, toTimestampMessage(1n)), intField(5, digest))),
  transaction({ cryptoTransfer: {} }),
  writeItem(itemKinds.blockFooter, join(...[1, 2, 3].map((field) => bytesField(field, Buffer.alloc(hashLength, 1))))),
];

it('another digest than SHA-384 is not supported, and that is said, not that hashes have another length', () => {
  expect(toBlock(blockWith(0, 48))).toMatchObject({ number: 7n });
  expect(() => toBlock(blockWith(1, 32))).toThrow('digest 1 is not supported: expected SHA-384 (0), found 1');
  expect(() => toBlock(blockWith(3, 48))).toThrow('digest 3 is not supported');
  expect(() => toBlock(blockWith(0, 32))).toThrow('expected 48 bytes');
});
