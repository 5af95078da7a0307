import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMessageReader } from './message-reader.ts';

function encode({ type, body }: { type: number; body: Uint8Array }): Buffer {
  const bytes = Buffer.alloc(5 + body.length);
  bytes[0] = type;
  bytes.writeInt32BE(4 + body.length, 1);
  bytes.set(body, 5);
  return bytes;
}

it('takes every message once, whole and in order, in whatever pieces they arrive', () => {
  const message = fc.record({ type: fc.integer({ min: 1, max: 255 }), body: fc.uint8Array({ maxLength: 40 }) });
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 10 }),
      (messages, pieces) => {
        const taken: { type: number; bytes: Buffer }[] = [];
        const read = createMessageReader((type, bytes, view, start, end) => {
          expect(view.getInt32(start - 4)).toBe(end - start + 4);
          taken.push({ type, bytes: bytes.subarray(start, end) });
        });
        const all = Buffer.concat(messages.map(encode));
        for (let position = 0, turn = 0; position < all.length; turn++) {
          const size = pieces[turn % pieces.length]!;
          read(Buffer.from(all.subarray(position, position + size)));
          position += size;
        }
        // Compared at the end: what was handed out earlier must not have changed since.
        expect(taken).toEqual(messages.map(({ type, body }) => ({ type, bytes: Buffer.from(body) })));
      },
    ),
  );
});

it('puts a large message together without going over its beginning again and again', () => {
  const body = Buffer.alloc(8 << 20, 7);
  const bytes = encode({ type: 0x44, body });
  let length = 0;
  const read = createMessageReader((_type, _bytes, _view, start, end) => {
    length = end - start;
  });
  for (let position = 0; position < bytes.length; position += 1000) read(bytes.subarray(position, position + 1000));
  expect(length).toBe(body.length);
});
