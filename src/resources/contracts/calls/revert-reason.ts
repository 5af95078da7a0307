// The text that a contract reverted with: `Error(string)`, exactly as the ABI says.
const selector = '08c379a0';
const wordLength = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Empty if it is anything else. */
export function readRevertReason(output: Uint8Array): string {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.length);
  if (bytes.length < 4 + 2 * wordLength || bytes.toString('hex', 0, 4) !== selector) return '';
  const body = bytes.subarray(4);
  const offset = toSize(body, 0);
  if (offset === null || offset + wordLength > body.length) return '';
  const length = toSize(body, offset);
  const start = offset + wordLength;
  if (length === null || start + length > body.length) return '';
  try {
    return utf8.decode(body.subarray(start, start + length));
  } catch {
    return ''; // Any bytes may stand there.
  }
}

/** null: larger than any data. */
function toSize(body: Buffer, at: number): number | null {
  const word = BigInt(`0x${body.toString('hex', at, at + wordLength)}`);
  return word > 0xffffffffn ? null : Number(word);
}
