// The text that a contract reverted with: `Error(string)`, exactly as the ABI says.
import { parseParameters } from './abi-type.ts';
import { readSelector, selectorBytes, selectorOf } from './selector.ts';
import { AbiError, type AbiForm, walkData } from './walk-data.ts';

const selector = selectorOf('Error(string)');
const parameters = parseParameters('(string)');
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Empty if it is anything else. */
export function readRevertReason(output: Uint8Array): string {
  if (output.length < selectorBytes || readSelector(output) !== selector) return '';
  const bytes = readBytes(output.subarray(selectorBytes));
  try {
    return bytes === null ? '' : utf8.decode(bytes);
  } catch {
    return ''; // Any bytes may stand there.
  }
}

function readBytes(body: Uint8Array): Buffer | null {
  try {
    return walkData(parameters, body, bytesForm)[0]!;
  } catch (error) {
    if (error instanceof AbiError) return null;
    throw error;
  }
}

const bytesForm: AbiForm<Buffer> = {
  begin: () => {},
  take: () => {},
  isSpent: () => false,
  element: (_, __, word) => word,
  content: (_, __, bytes) => bytes,
  list: (_, __, items) => Buffer.concat(items),
  tuple: (_, __, members) => Buffer.concat(members),
};
