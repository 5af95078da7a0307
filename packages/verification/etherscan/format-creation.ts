// How a contract was created, as getcontractcreation tells it. Of the mirrored chain the ledger knows; of others only
// what was found out when the contract was verified.
import type { ContractLookup } from '../contract-lookup.ts';
import type { Chain } from '../registry/chain-registry.ts';
import { toHex } from '../terms/hex.ts';

/** null if it is unknown which transaction it was. */
export async function formatCreation(lookup: ContractLookup, chain: Chain, address: string) {
  const creation = chain.bytecode.kind === 'ledger' ? await fromLedger() : await fromArchive();
  if (!creation?.transactionHash) return null;
  const { transactionHash, deployer, blockNumber, createdTimestamp, factory, code } = creation;
  return {
    contractAddress: address,
    contractCreator: deployer ?? '',
    // Of a transaction without an Ethereum form the first 32 bytes of its hash are what JSON-RPC knows it by.
    txHash: transactionHash.slice(0, 66),
    blockNumber: blockNumber?.toString() ?? '',
    timestamp: createdTimestamp === null ? '' : (createdTimestamp / 1_000_000_000n).toString(),
    contractFactory: factory ?? '',
    creationBytecode: code ? toHex(code) : '',
  };

  async function fromLedger() {
    const { creation: known, creationCodes } = await lookup.onchain(chain, address);
    return known && { ...known, code: creationCodes[0] ?? null };
  }

  async function fromArchive() {
    const found = await lookup.find(chain, address);
    const details = found && (await lookup.details(found));
    if (!details) return null;
    return {
      transactionHash: details.transactionHash && toHex(details.transactionHash),
      deployer: details.deployer && toHex(details.deployer),
      blockNumber: details.blockNumber,
      createdTimestamp: null,
      factory: null,
      code: details.onchainCreationCode,
    };
  }
}
