// Values of the export's columns. Bytes may also be written as hex text, as tools do that copy an export.

export type ColumnReader<T> = {
  /** Physical types that are accepted. */
  types: readonly string[];
  /** Files without the column are accepted. */
  isOptional?: boolean;
  /** Throws an Error that names the column. */
  read(value: unknown, name: string): T;
};

const bytesTypes = ['BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY'];

/** 0x and lower-case hex digits of `length` bytes. */
export function hexColumn(length: number): ColumnReader<string> {
  return {
    types: bytesTypes,
    read(value, name) {
      const hex = toHexText(value, length);
      if (hex === null) throw wrong(name, `${length} bytes`, value);
      return hex;
    },
  };
}

/** null also for a value of another length: nothing depends on it. */
export function optionalHexColumn(length: number): ColumnReader<string | null> {
  return {
    types: bytesTypes,
    isOptional: true,
    read: (value) => toHexText(value, length),
  };
}

export function textColumn(maxBytes: number): ColumnReader<string> {
  return {
    types: bytesTypes,
    read(value, name) {
      if (typeof value === 'string') return value;
      if (!(value instanceof Uint8Array)) throw wrong(name, 'text', value);
      if (value.length > maxBytes) throw new Error(`${name} has ${value.length} bytes, at most ${maxBytes} are read`);
      try {
        return decoder.decode(value);
      } catch {
        throw new Error(`${name} is no UTF-8`);
      }
    },
  };
}

/** Copied: they lie in the memory of a whole page. */
export function bytesColumn(maxBytes: number): ColumnReader<Buffer> {
  return {
    types: bytesTypes,
    read(value, name) {
      if (!(value instanceof Uint8Array)) throw wrong(name, 'text', value);
      if (value.length > maxBytes) throw new Error(`${name} has ${value.length} bytes, at most ${maxBytes} are read`);
      return Buffer.from(value);
    },
  };
}

export const integerColumn: ColumnReader<bigint> = {
  types: ['INT64', 'INT32'],
  read(value, name) {
    if (typeof value === 'bigint') return value;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
    throw wrong(name, 'an integer', value);
  },
};

export const booleanColumn: ColumnReader<boolean> = {
  types: ['BOOLEAN'],
  read(value, name) {
    if (typeof value === 'boolean') return value;
    throw wrong(name, 'true or false', value);
  },
};

export const optionalBooleanColumn: ColumnReader<boolean | null> = {
  types: ['BOOLEAN'],
  isOptional: true,
  read: (value) => (typeof value === 'boolean' ? value : null),
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** `0x…`, or PostgreSQL's `\\x…`, also as text. null = not that many bytes. */
function toHexText(value: unknown, length: number): string | null {
  if (value instanceof Uint8Array && value.length === length) return `0x${Buffer.from(value).toString('hex')}`;
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
  if (typeof text !== 'string' || text.length > 2 + 2 * length) return null;
  const digits = /^(?:0x|\\x)?([0-9a-f]*)$/i.exec(text)?.[1];
  return digits?.length === 2 * length ? `0x${digits.toLowerCase()}` : null;
}

function wrong(name: string, expected: string, value: unknown): Error {
  const found = value === null || value === undefined ? 'nothing' : typeof value;
  return new Error(
    `${name} must be ${expected}, there is ${value instanceof Uint8Array ? `${value.length} bytes` : found}`,
  );
}
