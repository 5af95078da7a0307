// Methods whose answer does not depend on the ledger, and those that no such ledger has.
import { setImmediate } from 'node:timers/promises';
import type { Turns } from '../../../../packages/kit/turns.ts';
import { beginKeccak256, keccak256 } from '../../../../packages/protocol/keccak256.ts';
import { address, hexText } from '../reading/kinds.ts';
import { about, type Method, method, plain } from '../reading/method.ts';
import { hex, quantity } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';

const [noKeys, noMining] = [
  'this server has no keys; wallets sign, and eth_sendRawTransaction sends',
  'nothing is mined',
];
const unsupported: Readonly<Record<string, string>> = {
  eth_coinbase: 'no account receives what blocks earn',
  eth_getProof: 'the state of the network is in no Merkle Patricia trie; REST proves blocks and transactions',
  eth_getWork: noMining,
  eth_protocolVersion: "this server speaks none of Ethereum's protocols between nodes",
  eth_sendTransaction: noKeys,
  eth_sign: noKeys,
  eth_signTransaction: noKeys,
  eth_submitHashrate: noMining,
};

const refuse = (reason: string) =>
  plain(() => {
    throw rpcError.unsupportedMethod(reason);
  });

const emptyPool = { pending: {}, queued: {} };

export const constantMethods: Readonly<Record<string, Method>> = {
  debug_getBadBlocks: about(
    [],
    'an empty list',
    plain(() => []),
  ),
  eth_accounts: about(
    [],
    'an empty list',
    plain(() => []),
  ),
  eth_blobBaseFee: about(
    [],
    '1, as the opcode BLOBBASEFEE says: no transaction has blobs',
    plain(() => '0x1'),
  ),
  eth_chainId: about(
    [],
    'id of the chain',
    plain(({ chainId }) => quantity(chainId)),
  ),
  eth_hashrate: about(
    [],
    '0',
    plain(() => '0x0'),
  ),
  eth_mining: about(
    [],
    'false',
    plain(() => false),
  ),
  eth_pendingTransactions: about(
    [],
    'an empty list: nothing is pending',
    plain(() => []),
  ),
  eth_submitWork: about(
    [],
    'false',
    plain(() => false),
  ),
  eth_syncing: about(
    [],
    'false',
    plain(() => false),
  ),
  net_listening: about(
    [],
    'true',
    plain(() => true),
  ),
  net_peerCount: about(
    [],
    '0: blocks come from no nodes of Ethereum',
    plain(() => '0x0'),
  ),
  net_version: about(
    [],
    'id of the chain, as decimal text',
    plain(({ chainId }) => String(chainId)),
  ),
  txpool_content: about(
    [],
    'nothing is pending',
    plain(() => emptyPool),
  ),
  txpool_contentFrom: about(
    ['address'],
    'nothing is pending',
    method([address], () => emptyPool),
  ),
  txpool_inspect: about(
    [],
    'nothing is pending',
    plain(() => emptyPool),
  ),
  txpool_status: about(
    [],
    'nothing is pending',
    plain(() => ({ pending: '0x0', queued: '0x0' })),
  ),
  web3_clientVersion: about(
    [],
    'name and version of this program',
    plain(({ version }) => `ledger-mirror/${version}`),
  ),
  web3_sha3: about(
    ['hex'],
    'Keccak-256 of the bytes',
    method([hexText], async ({ turns }, digits) => hex(await hash(Buffer.from(padded(digits), 'hex'), turns))),
  ),
  ...Object.fromEntries(
    Object.entries(unsupported).map(([name, why]) => [name, about([], `refused (−32601): ${why}`, refuse(why))]),
  ),
};

/** 250 kB take the thread for 5 ms, or ten times as long on a busy one: others get it in between. */
async function hash(bytes: Buffer, { take }: Turns): Promise<Buffer> {
  if (bytes.length <= sliceBytes) return keccak256(bytes);
  const begun = beginKeccak256();
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    await take(async () => begun.update(bytes.subarray(at, at + sliceBytes)));
    await setImmediate();
  }
  return begun.digest();
}

const sliceBytes = 16 * 1024;

function padded(digits: string): string {
  return digits.length % 2 === 0 ? digits.slice(2) : `0${digits.slice(2)}`;
}
