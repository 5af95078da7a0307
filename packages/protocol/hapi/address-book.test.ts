import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { writeAddressBook } from '../../simulated-network/formats/write-address-book.ts';
import { StreamFileError } from '../stream-file-error.ts';
import { type AddressBookNode, readAddressBook, toPublicKey } from './address-book.ts';
import { proto } from './hapi.ts';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const node: AddressBookNode = {
  nodeId: 2n ** 40n,
  accountId: 3n,
  publicKeyHex: publicKey.export({ format: 'der', type: 'spki' }).toString('hex'),
  memo: Buffer.from('memo'),
  certificateHash: Buffer.from('abcd'),
  description: 'Hosted by nobody | Nowhere',
  stake: 5_000_000_000_000_000_000n,
  endpoints: [
    { ipAddress: '127.0.0.1', port: 50_211, domainName: '' },
    { ipAddress: '', port: 443, domainName: 'node.example' },
  ],
};

function encode(nodeAddress: object[]): Uint8Array {
  return proto.NodeAddressBook.encode({ nodeAddress } as proto.INodeAddressBook).finish();
}

describe('address books', () => {
  it('are read as written', () => {
    const nodes = [node, { ...node, nodeId: 1n, accountId: 4n }];
    expect(readAddressBook(writeAddressBook(nodes))).toEqual({ nodes });
  });

  it('give the key that verifies signatures', () => {
    expect(toPublicKey(node).equals(publicKey)).toBe(true);
    expect(() => toPublicKey({ ...node, publicKeyHex: 'abcd' })).toThrow(StreamFileError);
  });

  it('of early times number their nodes from account 0.0.3 and name it in the memo', () => {
    const memos = ['0.0.3', '0.0.4', '0.0.19'].map((memo) => ({ memo: Buffer.from(memo) }));
    const { nodes } = readAddressBook(encode(memos));
    expect(nodes.map(({ nodeId, accountId }) => [nodeId, accountId])).toEqual([
      [0n, 3n],
      [1n, 4n],
      [16n, 19n],
    ]);
  });

  it('may name a node several times, once for each of its addresses', () => {
    const entry = (ipAddress: string) => ({
      ipAddress: Buffer.from(ipAddress),
      portno: 50_211,
      nodeAccountId: { accountNum: 4 },
    });
    const { nodes } = readAddressBook(encode([entry('10.0.0.1'), entry('10.0.0.2')]));
    expect(nodes).toHaveLength(1);
    expect(nodes[0]!.endpoints.map(({ ipAddress }) => ipAddress)).toEqual(['10.0.0.1', '10.0.0.2']);
  });

  it.each([
    ['no node', encode([])],
    ['a node without account', encode([{ memo: Buffer.from('nobody') }])],
    ['a part of a book', writeAddressBook([node]).subarray(0, -5)],
    ['other bytes', Buffer.from('hello')],
  ])('are refused with %s', (_name, bytes) => expect(() => readAddressBook(bytes)).toThrow(StreamFileError));
});
