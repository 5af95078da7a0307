// Where the parts of a block proof lie, and proofs with one bit that differs.

export type Region = { name: string; start: number; end: number };

type Layout = readonly (readonly [name: string, length: number])[];

const key: Layout = [
  ['size', 8],
  ['total weight', 32],
  ['g0', 96],
  ['h0', 192],
  ['h1', 192],
  ['L', 96],
  ['W', 96],
  ['SK', 192],
  ['Z', 192],
];
const hints: Layout = [
  ['aPK', 96],
  ['weight', 32],
  ['sigma', 192],
  ...['B', 'Qx', 'Qx degree', 'Qz', 'PS', 'Q1', 'Q3', 'Q2', 'Q4', 'O', 'O before'].map((name) => [name, 96] as const),
  ...['ps', 'ps before', 'w', 'b', 'q1', 'q3', 'q2', 'q4'].map((name) => [name, 32] as const),
];
const schnorr: Layout = [
  ['marks', 128],
  ['response', 32],
  ['challenge', 32],
];
const wraps: Layout = [
  ['steps', 32],
  ...['first state', 'last state', 'running instance', 'fresh instance'].flatMap(
    (name) =>
      [
        [`count of ${name}`, 8],
        [`${name} 0`, 32],
        [`${name} 1`, 32],
      ] as const,
  ),
  ['A', 32],
  ['B of Groth16', 64],
  ['C', 32],
  ...['eval 0', 'proof 0', 'eval 1', 'proof 1', 'T', 'rho', 'c0', 'c1'].map((name) => [name, 32] as const),
];

const signatureLengths = [2920, 3432];

/** Of the content of a block item: what is around the signature first, then each part of it. */
export function regionsOf(content: Uint8Array): Region[] {
  const length = signatureLengths.find((one) => content.length > one && isSignatureAt(content, content.length - one));
  if (length === undefined) throw new Error('the proof does not end with a signature of a known length');
  const layout = [...key, ...hints, ...(length === signatureLengths[0] ? schnorr : wraps)];
  let start = content.length - length;
  const regions: Region[] = [{ name: 'messages', start: 0, end: start }];
  for (const [name, size] of layout) {
    regions.push({ name, start, end: start + size });
    start += size;
  }
  if (start !== content.length) throw new Error(`the parts end at ${start} and not at ${content.length}`);
  return regions;
}

/** A signature begins with the size of its key, of which the low byte is not 0 in any network that was seen. */
function isSignatureAt(content: Uint8Array, start: number): boolean {
  return content[start] !== 0 && content.subarray(start + 1, start + 8).every((byte) => byte === 0);
}

export function flipBit(bytes: Uint8Array, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[bit >> 3]! ^= 1 << (bit & 7);
  return flipped;
}

/** Numbers that look random and are the same for the same seed. */
export function createRandomIndex(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
