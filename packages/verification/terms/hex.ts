/** 0x and lower-case hex digits. */
export function toHex(bytes: Buffer): string {
  return `0x${bytes.toString('hex')}`;
}

export function fromHex(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex');
}

/** 0x and 64 hex digits in any case. */
export function isTransactionHash(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);
}
