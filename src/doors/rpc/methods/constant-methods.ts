// Methods whose answer does not depend on the ledger, and those that no such ledger has.
import { keccak256 } from '../../../protocol/keccak256.ts';
import { hexText } from '../reading/kinds.ts';
import { alone, type Method, method, plain } from '../reading/method.ts';
import { hex, quantity } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';

const unsupported = [
  ...['eth_blobBaseFee', 'eth_coinbase', 'eth_createAccessList', 'eth_getProof', 'eth_getWork'],
  ...['eth_protocolVersion', 'eth_sendTransaction', 'eth_sign', 'eth_signTransaction', 'eth_simulateV1'],
  ...['eth_submitHashrate', 'net_peerCount', 'txpool_content', 'txpool_contentFrom', 'txpool_status'],
];

const refuse = plain(() => {
  throw rpcError.unsupportedMethod();
});

export const constantMethods: Readonly<Record<string, Method>> = {
  debug_getBadBlocks: plain(() => []),
  eth_accounts: plain(() => []),
  eth_chainId: plain(({ chainId }) => quantity(chainId)),
  eth_hashrate: plain(() => '0x0'),
  eth_mining: plain(() => false),
  eth_submitWork: plain(() => false),
  eth_syncing: plain(() => false),
  net_listening: plain(() => true),
  net_version: plain(({ chainId }) => String(chainId)),
  web3_clientVersion: plain(({ version }) => `ledger-mirror/${version}`),
  web3_sha3: method([hexText], (_context, digits) => hex(keccak256(Buffer.from(padded(digits), 'hex')))),
  eth_newPendingTransactionFilter: alone(refuse),
  ...Object.fromEntries(unsupported.map((name) => [name, refuse])),
};

function padded(digits: string): string {
  return digits.length % 2 === 0 ? digits.slice(2) : `0${digits.slice(2)}`;
}
