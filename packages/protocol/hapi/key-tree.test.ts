import { describe, expect, it } from 'vitest';
import { proto } from './hapi.ts';
import { type KeyTree, toKeyTree } from './key-tree.ts';

const ed25519 = { ed25519: Buffer.alloc(32, 0xab) };
const ecdsa = { ECDSASecp256k1: Buffer.alloc(33, 2) };
const list = (...keys: proto.IKey[]): proto.IKey => ({ keyList: { keys } });
const threshold = (count: number, ...keys: proto.IKey[]): proto.IKey => ({
  thresholdKey: { threshold: count, keys: { keys } },
});
const treeOf = (key: proto.IKey) => toKeyTree(proto.Key.encode(key).finish());
const plain: KeyTree = { kind: 'key', algorithm: 'ED25519', bytes: Buffer.alloc(32, 0xab) };
const other: KeyTree = { kind: 'key', algorithm: 'ECDSA secp256k1', bytes: Buffer.alloc(33, 2) };

describe('a key as a tree', () => {
  it.each<[string, proto.IKey, KeyTree]>([
    ['one key', ed25519, plain],
    ['RSA', { RSA_3072: Buffer.of(7) }, { kind: 'key', algorithm: 'RSA 3072', bytes: Buffer.of(7) }],
    ['all of a list', list(ed25519, ecdsa), { kind: 'list', needed: 2, keys: [plain, other], left: 0 }],
    [
      'some of them, in a list',
      threshold(1, list(ed25519), ecdsa),
      { kind: 'list', needed: 1, keys: [{ kind: 'list', needed: 1, keys: [plain], left: 0 }, other], left: 0 },
    ],
    ['nobody', list(), { kind: 'list', needed: 0, keys: [], left: 0 }],
    [
      'a contract',
      { contractID: { shardNum: 0, realmNum: 0, contractNum: 5 } as never },
      { kind: 'contract', id: 5n, delegates: false },
    ],
    [
      'a contract that delegates',
      { delegatableContractId: { contractNum: 6 } as never },
      { kind: 'contract', id: 6n, delegates: true },
    ],
  ])('%s', (_name, key, expected) => expect(treeOf(key)).toEqual(expected));

  it('is cut where somebody wrote one too deep or too wide', () => {
    let deep: proto.IKey = ed25519;
    for (let level = 0; level < 40; level++) deep = list(deep);
    let depth = 0;
    for (let tree = treeOf(deep); tree?.kind === 'list'; tree = tree.keys[0] ?? null) depth += 1;
    expect(depth).toBe(9);
    const wide = treeOf(list(...Array.from({ length: 5000 }, () => ed25519)))!;
    expect(wide).toMatchObject({ needed: 5000, left: 5000 - 59 });
  });

  it.each<[string, Uint8Array | null, KeyTree | null]>([
    ['nothing', null, null],
    ['no bytes', Buffer.alloc(0), null],
    ['no key', Buffer.from('0aff', 'hex'), { kind: 'unreadable' }],
    ['another message', Buffer.from('f2070100', 'hex'), { kind: 'unreadable' }],
  ])('%s', (_name, bytes, expected) => expect(toKeyTree(bytes)).toEqual(expected));

  it('survives bytes that nest as deep as a transaction allows', () => {
    let bytes = Buffer.alloc(0);
    for (let level = 0; level < 1500; level++) {
      const inner = Buffer.concat([Buffer.of(0x0a), varint(bytes.length), bytes]);
      bytes = Buffer.concat([Buffer.of(0x32), varint(inner.length), inner]);
    }
    expect(['list', 'unreadable']).toContain(toKeyTree(bytes)!.kind);
  });
});

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left & 127) | 128);
  }
}
