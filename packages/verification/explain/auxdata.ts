// The end of Solidity's code: a small CBOR map and its length in two bytes. It names the hash of the metadata (which
// hashes all sources and settings) and the compiler.
export type Auxdata = {
  /** 0x hex of the map and its two length bytes. */
  hex: string;
  /** Where it begins, in bytes. */
  offset: number;
  /** The hash of the metadata; null = none. */
  hash: { kind: 'ipfs' | 'bzzr0' | 'bzzr1'; hex: string } | null;
  /** `0.8.19`, or a nightly's long name; null = not named (before 0.5.9). */
  compiler: string | null;
};

/** Reads the end of code (0x hex); null = there is none. */
export function readAuxdata(code: string): Auxdata | null {
  const size = (code.length - 2) / 2;
  const length = Number.parseInt(code.slice(-4), 16);
  const offset = size - 2 - length;
  // Only the end is read: earlier bytes of compiled code may have placeholders of libraries.
  if (!(length > 0) || offset < 0) return null;
  const hex = code.slice(2 + offset * 2);
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length !== length + 2) return null;
  const map = readMap(bytes.subarray(0, -2));
  if (map === null) return null;
  return { hex: `0x${hex}`, offset, hash: readHash(map), compiler: readCompiler(map.get('solc')) };
}

type Value = Buffer | string | boolean;

function readHash(map: Map<string, Value>): Auxdata['hash'] {
  for (const kind of ['ipfs', 'bzzr1', 'bzzr0'] as const) {
    const value = map.get(kind);
    if (Buffer.isBuffer(value)) return { kind, hex: value.toString('hex') };
  }
  return null;
}

function readCompiler(value: Value | undefined): string | null {
  if (typeof value === 'string') return value;
  return Buffer.isBuffer(value) && value.length === 3 ? [...value].join('.') : null;
}

/** A map of at most 23 texts to bytes, texts or booleans that fills its bytes exactly, as compilers write it. */
function readMap(bytes: Buffer): Map<string, Value> | null {
  const reader = { bytes, at: 1 };
  const first = bytes[0]!;
  if (first >> 5 !== majorMap || (first & 31) > 23) return null;
  const map = new Map<string, Value>();
  for (let left = first & 31; left > 0; left -= 1) {
    const key = readValue(reader);
    const value = readValue(reader);
    if (typeof key !== 'string' || value === null) return null;
    map.set(key, value);
  }
  return reader.at === bytes.length ? map : null;
}

const majorBytes = 2;
const majorText = 3;
const majorMap = 5;
const cborFalse = 0xf4;
const cborTrue = 0xf5;

function readValue(reader: { bytes: Buffer; at: number }): Value | null {
  const { bytes } = reader;
  const head = bytes[reader.at];
  if (head === undefined) return null;
  reader.at += 1;
  if (head === cborFalse || head === cborTrue) return head === cborTrue;
  const major = head >> 5;
  if (major !== majorBytes && major !== majorText) return null;
  let length = head & 31;
  if (length === 24) {
    length = bytes[reader.at] ?? bytes.length;
    reader.at += 1;
  } else if (length > 24) return null;
  const value = bytes.subarray(reader.at, reader.at + length);
  if (value.length !== length) return null;
  reader.at += length;
  return major === majorText ? value.toString('utf8') : value;
}
