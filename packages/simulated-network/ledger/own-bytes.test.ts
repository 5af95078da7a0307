import { expect, test } from 'vitest';
import { withOwnBytes } from './own-bytes.ts';

test('bytes that are kept do not hold a larger block', () => {
  const block = Buffer.alloc(1000, 7);
  const slice = block.subarray(10, 13);
  const row = { id: 5n, none: null, key: slice, keys: [slice, null], more: { admin: slice }, at: [1, 'x'] };
  const kept = withOwnBytes(row);
  expect(kept).toEqual(row);
  for (const bytes of [kept.key, kept.keys[0]!, kept.more.admin]) {
    expect(bytes.buffer.byteLength).toBe(3);
    expect(Buffer.isBuffer(bytes)).toBe(true);
  }
});

test('bytes that share no memory stay as they are', () => {
  const own = new Uint8Array(4);
  expect(withOwnBytes({ own }).own).toBe(own);
});
