import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AddressBookNode } from '../../../packages/protocol/hapi/address-book.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { inRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { writeAddressBook } from '../../../packages/simulated-network/formats/write-address-book.ts';
import type { StreamBlock, TransactionItem } from '../../../packages/streams/stream/stream-block.ts';
import { createSignerFollower } from './follow-signers.ts';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const node = (nodeId: bigint): AddressBookNode => ({
  nodeId,
  accountId: nodeId + 3n,
  publicKeyHex: publicKey.export({ format: 'der', type: 'spki' }).toString('hex'),
  memo: Buffer.alloc(0),
  certificateHash: Buffer.alloc(0),
  description: '',
  stake: 0n,
  endpoints: [],
});
const withoutKey = (one: AddressBookNode): AddressBookNode => ({ ...one, publicKeyHex: 'ab'.repeat(40) });
const elsewhere = { shard: 11n, realm: 12n };
const nodes = (count: number) => Array.from({ length: count }, (_, index) => node(BigInt(index)));

// As decoded from the wire, so that ids are Long values. The follower looks at bodies and statuses only.
function block(...bodies: [body: object, status?: number][]): StreamBlock {
  const transactions = bodies.map(([body, status = 22]) => ({
    status,
    body: proto.TransactionBody.decode(proto.TransactionBody.encode(body as proto.ITransactionBody).finish()),
  }));
  return { transactions: transactions as TransactionItem[] } as StreamBlock;
}

const fileID = { fileNum: 102 };

describe('who signs changes with the stream', () => {
  it('a new address book counts after the file that has it', () => {
    const follower = createSignerFollower({ nodes: nodes(3) }, null);
    follower.follow(block([{ fileUpdate: { fileID, contents: writeAddressBook(nodes(5)) } }]));
    expect(follower.signers()).toMatchObject({ count: 5, totalStake: 5n, requiredStake: 2n });
  });

  it('a book in parts counts with its last part', () => {
    const follower = createSignerFollower({ nodes: nodes(3) }, null);
    const content = writeAddressBook(nodes(4));
    follower.follow(block([{ fileUpdate: { fileID, contents: content.subarray(0, 500) } }]));
    expect(follower.signers().count).toBe(3);
    follower.follow(block([{ fileAppend: { fileID, contents: content.subarray(500) } }]));
    expect(follower.signers().count).toBe(4);
  });

  it('the book is the file of the network that the first one is of', () => {
    const away = (count: number) =>
      nodes(count).map((one) => ({ ...one, accountId: inRealm(one.accountId, elsewhere) }));
    const follower = createSignerFollower({ nodes: away(3) }, null);
    follower.follow(block([{ fileUpdate: { fileID, contents: writeAddressBook(nodes(4)) } }]));
    expect(follower.signers().count).toBe(3);
    const own = { ...fileID, shardNum: 11, realmNum: 12 };
    follower.follow(block([{ fileUpdate: { fileID: own, contents: writeAddressBook(away(5)) } }]));
    expect(follower.signers().count).toBe(5);
    expect(follower.signers().find({ name: '', accountId: inRealm(3n, elsewhere), nodeId: null })?.nodeId).toBe(0n);
  });

  it('nodes without a readable key are left out, with their stake', () => {
    const follower = createSignerFollower({ nodes: nodes(3) }, null);
    const [first, ...others] = nodes(5);
    const contents = writeAddressBook([first!, ...others.map(withoutKey)]);
    follower.follow(block([{ fileUpdate: { fileID, contents } }]));
    expect(follower.signers()).toMatchObject({ count: 1, totalStake: 1n, requiredStake: 1n });
    expect(follower.signers().find({ name: '', accountId: null, nodeId: 1n })).toBeNull();
    const nodeStake = [
      { nodeId: 0, stake: 10 },
      { nodeId: 1, stake: 1000 },
    ];
    follower.follow(block([{ nodeStakeUpdate: { nodeStake } }]));
    expect(follower.signers()).toMatchObject({ totalStake: 10n, requiredStake: 4n });
  });

  it('stakes count for the nodes of the book', () => {
    const follower = createSignerFollower({ nodes: nodes(3) }, null);
    const nodeStake = [
      { nodeId: 0, stake: 100 },
      { nodeId: 2, stake: 51 },
      { nodeId: 9, stake: 1000 },
    ];
    follower.follow(block([{ nodeStakeUpdate: { nodeStake } }]));
    expect(follower.signers()).toMatchObject({ totalStake: 151n, requiredStake: 51n });
    expect(follower.signers().find({ name: '', accountId: null, nodeId: 1n })?.stake).toBe(0n);
  });

  it.each([
    ['failed transactions', [{ fileUpdate: { fileID, contents: writeAddressBook(nodes(5)) } }, 10] as [object, number]],
    ['other files', [{ fileUpdate: { fileID: { fileNum: 101 }, contents: writeAddressBook(nodes(5)) } }] as [object]],
    ['updates without contents', [{ fileUpdate: { fileID, memo: { value: 'm' } } }] as [object]],
    [
      'books without a readable key',
      [{ fileUpdate: { fileID, contents: writeAddressBook(nodes(5).map(withoutKey)) } }] as [object],
    ],
    ['contents that are no book', [{ fileUpdate: { fileID, contents: Buffer.from('hello') } }] as [object]],
  ])('%s change nothing', (_name, item) => {
    const follower = createSignerFollower({ nodes: nodes(3) }, null);
    const before = follower.signers();
    follower.follow(block(item));
    expect(follower.signers()).toBe(before);
  });
});
