// An address book as the content of the network's file 102.
import type { AddressBookNode } from '../../protocol/hapi/address-book.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { accountId, toLong } from '../ledger/hapi-values.ts';

export function writeAddressBook(nodes: readonly AddressBookNode[]): Buffer {
  const nodeAddress = nodes.map((node) => ({
    memo: node.memo,
    RSA_PubKey: node.publicKeyHex,
    nodeId: toLong(node.nodeId),
    nodeAccountId: accountId(node.accountId),
    nodeCertHash: node.certificateHash,
    serviceEndpoint: node.endpoints.map(({ ipAddress, port, domainName }) => ({
      ipAddressV4: Buffer.from(ipAddress === '' ? [] : ipAddress.split('.').map(Number)),
      port,
      domainName,
    })),
    description: node.description,
    stake: toLong(node.stake),
  }));
  return Buffer.from(proto.NodeAddressBook.encode({ nodeAddress }).finish());
}
