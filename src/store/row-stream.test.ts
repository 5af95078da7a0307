import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRowStream } from './row-stream.ts';

type Message = { type: 'D' | 'T' | 'C' | 'N' | 'Z'; body: Uint8Array };

function encode({ type, body }: Message): Buffer {
  const bytes = Buffer.alloc(5 + body.length);
  bytes.write(type, 0, 'latin1');
  bytes.writeInt32BE(4 + body.length, 1);
  bytes.set(body, 5);
  return bytes;
}

/** What `pg` and the receiver get when the messages arrive in pieces of these sizes. */
function deliver(messages: Message[], pieces: number[]): { forwarded: Buffer; rows: string[] } {
  const stream = new PassThrough();
  const forwarded: Buffer[] = [];
  stream.on('data', (bytes: Buffer) => forwarded.push(Buffer.from(bytes)));
  const rowStream = createRowStream(stream);
  const rows: string[] = [];
  rowStream.receive({
    addRow: (bytes, view, start) => {
      const end = start + view.getInt32(start - 4) - 4;
      rows.push(bytes.toString('hex', start, end));
    },
  });
  const bytes = Buffer.concat(messages.map(encode));
  let position = 0;
  for (let turn = 0; position < bytes.length; turn++) {
    const size = pieces[turn % pieces.length]!;
    stream.emit('data', bytes.subarray(position, position + size));
    position += size;
  }
  return { forwarded: Buffer.concat(forwarded), rows };
}

const message = (...types: Message['type'][]): fc.Arbitrary<Message> =>
  fc.record({ type: fc.constantFrom(...types), body: fc.uint8Array({ maxLength: 40 }) });

describe('createRowStream', () => {
  it('gives rows to the receiver and everything else to pg, in whatever pieces they arrive', () => {
    fc.assert(
      fc.property(
        fc.array(message('D', 'T', 'C', 'N'), { maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 10 }),
        (messages, pieces) => {
          const { forwarded, rows } = deliver(messages, pieces);
          expect(rows).toEqual(
            messages.filter(({ type }) => type === 'D').map(({ body }) => Buffer.from(body).toString('hex')),
          );
          expect(forwarded).toEqual(Buffer.concat(messages.filter(({ type }) => type !== 'D').map(encode)));
        },
      ),
    );
  });

  it('leaves rows to pg once the answer is over', () => {
    const row: Message = { type: 'D', body: Buffer.from([1, 2]) };
    const { forwarded, rows } = deliver([row, { type: 'Z', body: Buffer.from('I') }, row], [7]);
    expect(rows).toEqual(['0102']);
    expect(forwarded).toEqual(Buffer.concat([encode({ type: 'Z', body: Buffer.from('I') }), encode(row)]));
  });
});
