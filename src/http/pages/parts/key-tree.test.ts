// Keys in words: single ones, lists, thresholds, contracts; hostile ones are bounded.
import { expect, it } from 'vitest';
import { html } from '../../../kit/markup.ts';
import { proto, toLong } from '../../../protocol/hapi/hapi.ts';
import { keyTree } from './key-tree.ts';

const show = (key: proto.IKey): string => html`${keyTree(proto.Key.encode(key).finish())}`.markup;
const single = (byte: number): proto.IKey => ({ ed25519: Buffer.alloc(32, byte) });

it('says what a key is', () => {
  expect(show(single(7))).toContain(`ED25519</span> <code data-copy>${'07'.repeat(32)}`);
  expect(show({ contractID: { contractNum: toLong(5n) } })).toContain('the contract</span> 0.0.5');
  const threshold = { threshold: 2, keys: { keys: [single(1), single(2), single(3)] } };
  expect(show({ thresholdKey: threshold })).toMatch(/^2 of these 3<ul .*01{1}/);
  expect(show({ keyList: { keys: [] } })).toContain('no key at all');
});

it('none is nothing, and what is no key is bytes', () => {
  expect(keyTree(null)).toBeNull();
  expect(html`${keyTree(Buffer.of(0xff, 0xff))}`.markup).toContain('0xffff');
});

it('thousands of keys, and keys in keys, are bounded', () => {
  let deep = single(1);
  for (let depth = 0; depth < 500; depth++) deep = { keyList: { keys: [deep] } };
  const wide = { keyList: { keys: Array.from({ length: 9000 }, () => single(2)) } };
  for (const key of [deep, wide]) expect(show(key).length).toBeLessThan(12_000);
  expect(show(wide)).toContain('8,960 more');
});
