// The address book file that a setting names.
import { readFileSync } from 'node:fs';
import { readAddressBook } from '../../protocol/hapi/address-book.ts';
import { UsageError } from '../settings/usage-error.ts';

/** The bytes as they are, once they can be read as a book with at least one key. Throws UsageError. */
export function readAddressBookFile(path: string): Uint8Array {
  try {
    const bytes = readFileSync(path);
    const { nodes } = readAddressBook(bytes);
    if (!nodes.some(({ publicKeyHex }) => publicKeyHex !== '')) throw new Error('it names no node with a public key');
    return bytes;
  } catch (error) {
    throw new UsageError(
      `The address book ${path} cannot be read: ${(error as Error).message}. It is the content of the network's file 102, as stored.`,
    );
  }
}
