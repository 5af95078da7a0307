// The address book: which node signs with which key. Read from the content of the network's file 102 (or 101), a
// serialized NodeAddressBook. A book keeps the order of the file; nodes named twice are one node with all their
// endpoints.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { StreamFileError } from '../stream-file-error.ts';
import { decodeEntityId, parseEntityId, toEntityId } from './entity-id.ts';
import { proto, toBigInt } from './hapi.ts';
import { realmOf, type SystemRealm } from './system-entity.ts';

type AddressBookEndpoint = {
  /** Dotted IPv4 address; empty if only a domain name is known. */
  ipAddress: string;
  port: number;
  domainName: string;
};

export type AddressBookNode = {
  nodeId: bigint;
  accountId: bigint;
  /** RSA public key, SPKI DER as hex, as in the file; empty without one. */
  publicKeyHex: string;
  /** Raw memo bytes; old books hold the account id here. */
  memo: Buffer;
  /** Hash of the node's certificate as the file has it: hex text in UTF-8. */
  certificateHash: Buffer;
  description: string;
  /** tinybar; 0 in books since the node stake transaction exists. */
  stake: bigint;
  endpoints: AddressBookEndpoint[];
};

/** At least one node. */
export type AddressBook = { nodes: AddressBookNode[] };

/** File content → address book. Throws StreamFileError if it is none or names no node. */
export function readAddressBook(content: Uint8Array): AddressBook {
  let addresses: proto.INodeAddress[];
  try {
    addresses = proto.NodeAddressBook.decode(content).nodeAddress;
  } catch (error) {
    throw new StreamFileError('malformed', 'address book', 'a serialized NodeAddressBook', String(error));
  }
  if (addresses.length === 0) throw new StreamFileError('malformed', 'address book', 'at least one node', 'none');
  const nodes = new Map<bigint, AddressBookNode>();
  for (const address of addresses) {
    const node = toNode(address);
    const known = nodes.get(node.nodeId);
    if (known) known.endpoints.push(...node.endpoints);
    else nodes.set(node.nodeId, node);
  }
  return { nodes: [...nodes.values()] };
}

/**
 * A book that names who signs the stream. Throws StreamFileError as above, and if no node has a readable key: with such
 * a book no later file could be proved.
 */
export function readSigningBook(content: Uint8Array): AddressBook {
  const book = readAddressBook(content);
  if (!book.nodes.some(hasPublicKey)) throw noReadableKey(book);
  return book;
}

export function noReadableKey({ nodes }: AddressBook): StreamFileError {
  return new StreamFileError('malformed', 'address book', 'a node with a readable key', `none of ${nodes.length}`);
}

/** Whether signatures of the node can be verified. */
export function hasPublicKey(node: AddressBookNode): boolean {
  try {
    toPublicKey(node);
    return true;
  } catch (error) {
    if (error instanceof StreamFileError) return false;
    throw error;
  }
}

/** Shard and realm of the network. */
export function realmOfBook({ nodes }: AddressBook): SystemRealm {
  return realmOf(nodes[0]!.accountId);
}

/** The key that verifies the node's signatures. Throws StreamFileError if the book's text is no RSA key. */
export function toPublicKey(node: AddressBookNode): KeyObject {
  const refused = (why: string) => {
    const found = `${node.publicKeyHex.slice(0, 24)}… (${why})`;
    return new StreamFileError('malformed', `public key of node ${node.nodeId}`, 'an RSA key, SPKI DER in hex', found);
  };
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.from(node.publicKeyHex, 'hex'), format: 'der', type: 'spki' });
  } catch (error) {
    throw refused((error as Error).message);
  }
  if (key.asymmetricKeyType !== 'rsa') throw refused(String(key.asymmetricKeyType));
  return key;
}

function toNode(address: proto.INodeAddress): AddressBookNode {
  const memo = (address.memo ?? Buffer.alloc(0)) as Buffer;
  const accountId = address.nodeAccountId ? toEntityId(address.nodeAccountId) : accountIdFromMemo(memo);
  return {
    nodeId: toNodeId(toBigInt(address.nodeId), accountId),
    accountId,
    publicKeyHex: address.RSA_PubKey ?? '',
    memo,
    certificateHash: (address.nodeCertHash ?? Buffer.alloc(0)) as Buffer,
    description: address.description ?? '',
    stake: toBigInt(address.stake),
    endpoints: toEndpoints(address),
  };
}

// Books before 2020 have the account only in the memo.
function accountIdFromMemo(memo: Buffer): bigint {
  try {
    return parseEntityId(memo.toString());
  } catch {
    throw new StreamFileError('malformed', 'address book', 'an account id or one as memo', `memo "${memo}"`);
  }
}

// Old books have node 0 everywhere; nodes were numbered from account 3 then.
const firstNodeAccount = 3n;

function toNodeId(nodeId: bigint, accountId: bigint): bigint {
  const { num } = decodeEntityId(accountId);
  return nodeId === 0n && num > firstNodeAccount && num < 20n ? num - firstNodeAccount : nodeId;
}

function toEndpoints(address: proto.INodeAddress): AddressBookEndpoint[] {
  const endpoints = (address.serviceEndpoint ?? []).map((endpoint) => ({
    ipAddress: [...(endpoint.ipAddressV4 ?? [])].join('.'),
    port: endpoint.port ?? 0,
    domainName: endpoint.domainName ?? '',
  }));
  const oldAddress = Buffer.from(address.ipAddress ?? []).toString();
  if (oldAddress !== '') endpoints.unshift({ ipAddress: oldAddress, port: address.portno ?? 0, domainName: '' });
  return endpoints;
}
