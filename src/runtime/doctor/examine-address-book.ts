// Whether the address book can be read, and names keys.
import { hasPublicKey, readAddressBook } from '../../../packages/protocol/hapi/address-book.ts';
import type { Settings } from '../settings/load-settings.ts';
import { readAddressBookFile } from '../sources/open-source.ts';
import { FailedCheck } from './failed-check.ts';

/** null without one. Throws FailedCheck, and what reading it throws. */
export async function examineAddressBook(settings: Settings): Promise<string | null> {
  const path = settings.find('address-book');
  if (path === undefined) return null;
  const { nodes } = readAddressBook(readAddressBookFile(path));
  const withKey = nodes.filter(hasPublicKey).length;
  if (withKey === 0)
    throw new FailedCheck(`${path} has no readable public key`, 'Take the content of the file 102 of the network.');
  return `${path}: ${nodes.length} nodes, ${withKey} with a public key`;
}
