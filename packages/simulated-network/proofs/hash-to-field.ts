// Bytes → element of a field, as hinTS and history keys hash: expand_message_xmd with SHA-256 and an output of 48
// bytes, whose leading zeros are as many as that output, and not the 64 of a block of the hash.
import { createHash } from 'node:crypto';

const length = 48;

/** `domain`: may be empty. */
export function hashToField(message: Uint8Array, domain: Uint8Array, order: bigint): bigint {
  const end = [domain, [domain.length]];
  const zero = digest(new Uint8Array(length), message, [0, length, 0], ...end);
  let block = digest(zero, [1], ...end);
  let output = block.toString('hex');
  for (let number = 2; output.length < length * 2; number++) {
    block = digest(
      zero.map((byte, place) => byte ^ block[place]!),
      [number],
      ...end,
    );
    output += block.toString('hex');
  }
  return BigInt(`0x${output.slice(0, length * 2)}`) % order;
}

function digest(...parts: readonly (Uint8Array | readonly number[])[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(Uint8Array.from(part));
  return hash.digest();
}
