/** 0x and small hex digits. */
export function toHex(bytes: Buffer): string {
  return `0x${bytes.toString('hex')}`;
}

export function fromHex(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex');
}
