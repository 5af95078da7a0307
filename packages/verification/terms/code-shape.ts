// Code without what differs between contracts of one source: values of immutables, addresses of libraries and of the
// contract itself, hashes of metadata. Equal shapes are candidates for a comparison, no more.
import { hash } from 'node:crypto';

/** SHA-256. */
export function hashCodeShape(code: Buffer): Buffer {
  const shape = Buffer.from(code);
  for (const { marker, size } of metadataHashes) {
    for (let at = shape.indexOf(marker); at >= 0; at = shape.indexOf(marker, at + 1)) {
      clear(shape, at + marker.length, size);
    }
  }
  for (let at = 0; at < shape.length; ) {
    const pushed = shape[at]! >= push1 && shape[at]! <= push32 ? shape[at]! - push1 + 1 : 0;
    if (openSizes.has(pushed)) clear(shape, at + 1, pushed);
    at += 1 + pushed;
  }
  return hash('sha256', shape, 'buffer');
}

/** Of code as compilers write it, hex with placeholders of libraries (40 characters that begin with `_`). */
export function hashCompiledShape(object: string): Buffer {
  return hashCodeShape(Buffer.from(object.replaceAll(/_.{39}/g, '0'.repeat(40)), 'hex'));
}

/** Code may end before. */
function clear(code: Buffer, start: number, size: number): void {
  code.fill(0, Math.min(start, code.length), Math.min(start + size, code.length));
}

const push1 = 0x60;
const push32 = 0x7f;
/** Addresses are pushed as 20 bytes, immutables of any type as 32. */
const openSizes = new Set([20, 32]);

/** As CBOR: the key, and the head of the bytes that follow. */
const metadataHashes = [
  { marker: Buffer.from('64697066735822', 'hex'), size: 34 },
  { marker: Buffer.from('65627a7a72305820', 'hex'), size: 32 },
  { marker: Buffer.from('65627a7a72315820', 'hex'), size: 32 },
];
