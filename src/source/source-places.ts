// What `--source` may name: a folder, or a list of block nodes and folders in order of preference.
import { type BlockNodeAddress, parseBlockNodeAddress } from './block-node/block-node-address.ts';

export type SourcePlace = { kind: 'folder'; path: string } | { kind: 'blockNode'; address: BlockNodeAddress };

/** Throws an Error that says what is wrong. */
export function parseSourcePlaces(text: string): SourcePlace[] {
  // A comma may be part of the name of a folder; a list has at least one address.
  const parts = /(^|,)\s*[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text.split(',').map((part) => part.trim()) : [text];
  return parts.map((part) => {
    if (/^grpcs?:/i.test(part)) return { kind: 'blockNode', address: parseBlockNodeAddress(part) };
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(part)) {
      throw new Error(
        `${part} is a URL; this version reads stream files from folders and from block nodes (grpc://<host>:40840). Copy the files into a folder`,
      );
    }
    if (part === '') throw new Error('an entry of the list is empty; write it without a comma too many');
    return { kind: 'folder', path: part };
  });
}
