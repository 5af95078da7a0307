// The signing nodes: RSA-3072 keys, generated once and kept in the folder (not derived from the seed; signatures are
// PKCS #1 v1.5 and thus deterministic), and the address book.

import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { formatEntityId } from '../../protocol/hapi/entity-id.ts';
import { writeAddressBook } from '../formats/write-address-book.ts';
import { createFileOnce } from './atomic-file.ts';

export type SigningNode = {
  nodeId: bigint;
  accountId: bigint;
  description: string;
  publicKeyHex: string;
  /** SHA384withRSA over the 48-byte hash. */
  sign(hash: Uint8Array): Buffer;
};

const firstNodeAccount = 3n;
const rsaBits = 3072;

export async function loadSigningNodes(folder: string, count: number): Promise<SigningNode[]> {
  const keysFolder = join(folder, 'keys');
  await mkdir(keysFolder, { recursive: true });
  return Promise.all(Array.from({ length: count }, (_, index) => loadNode(keysFolder, BigInt(index))));
}

/** The address book as file 0.0.102 holds it; 0.0.101 is the same here. */
export function encodeAddressBook(nodes: readonly SigningNode[]): Buffer {
  return writeAddressBook(
    nodes.map(({ nodeId, accountId, description, publicKeyHex }) => ({
      nodeId,
      accountId,
      publicKeyHex,
      memo: Buffer.from(formatEntityId(accountId)),
      certificateHash: Buffer.alloc(0),
      description,
      stake: 0n,
      endpoints: [{ ipAddress: '127.0.0.1', port: 50_211 + Number(nodeId), domainName: '' }],
    })),
  );
}

async function loadNode(folder: string, nodeId: bigint): Promise<SigningNode> {
  const path = join(folder, `node${nodeId}.pem`);
  if (!existsSync(path)) {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: rsaBits });
    await createFileOnce(path, Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  }
  const privateKey: KeyObject = createPrivateKey(await readFile(path));
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return {
    nodeId,
    accountId: firstNodeAccount + nodeId,
    description: `Simulated node ${nodeId}`,
    publicKeyHex: publicKey.toString('hex'),
    sign: (hash) => sign('RSA-SHA384', hash, privateKey),
  };
}
