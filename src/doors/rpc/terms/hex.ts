// Values as JSON-RPC writes them: quantities without leading zeros, bytes with every digit.

/** null counts as zero. */
export function quantity(value: bigint | number | null): string {
  return `0x${(value ?? 0).toString(16)}`;
}

/** Of big-endian bytes. */
export function quantityOf(bytes: Buffer | null): string {
  const digits = bytes?.toString('hex').replace(/^0+/, '');
  return digits ? `0x${digits}` : '0x0';
}

export function hex(bytes: Buffer | null): string {
  return `0x${bytes?.toString('hex') ?? ''}`;
}

/** Padded to 32 bytes; what is longer stays. */
export function word(bytes: Buffer): string {
  return `0x${bytes.toString('hex').padStart(64, '0')}`;
}

/** The first 32 bytes of a hash of this ledger. */
export function hash32(bytes: Buffer): string {
  return `0x${bytes.toString('hex', 0, 32)}`;
}

/** The same of hex text, as blocks have it. */
export function hash32OfText(digits: string | null): string {
  return `0x${(digits ?? '').replace(/^0x/, '').slice(0, 64)}`;
}

export const zeroWord = `0x${'0'.repeat(64)}`;
export const zeroAddress = `0x${'0'.repeat(40)}`;
/** The root of a tree without leaves. */
export const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

export const weibarPerTinybar = 10_000_000_000n;
