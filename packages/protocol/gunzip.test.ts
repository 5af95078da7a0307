import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip } from './gunzip.ts';

const content = Buffer.from('stream file '.repeat(100));
const whole = gzipSync(content);

describe('gzip files', () => {
  it('are opened', () => expect(gunzip(whole, 'file')).toEqual(content));

  it.each([
    ['cut in the data', whole.subarray(0, -12), 'truncated'],
    ['cut in the checksum', whole.subarray(0, -1), 'truncated'],
    ['with zeros behind', Buffer.concat([whole, Buffer.alloc(3)]), 'trailingBytes'],
    ['with text behind', Buffer.concat([whole, Buffer.from('more')]), 'malformed'],
    ['with a wrong checksum', flipLast(whole), 'malformed'],
    ['that are none', content, 'malformed'],
    ['that are empty', Buffer.alloc(0), 'truncated'],
  ])('%s are refused', (_name, bytes, problem) => {
    expect(() => gunzip(bytes, 'file')).toThrow(expect.objectContaining({ problem, part: 'file' }));
  });
});

function flipLast(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length - 6]! ^= 1;
  return copy;
}
