// Methods whose answer does not depend on the ledger, and those that no such ledger has.
import { setImmediate } from 'node:timers/promises';
import type { Turns } from '../../../../packages/kit/turns.ts';
import { beginKeccak256, keccak256 } from '../../../../packages/protocol/keccak256.ts';
import { hexText } from '../reading/kinds.ts';
import { about, alone, type Method, method, plain } from '../reading/method.ts';
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
  net_version: about(
    [],
    'id of the chain, as decimal text',
    plain(({ chainId }) => String(chainId)),
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
  eth_newPendingTransactionFilter: about([], 'refused (−32601): nothing is pending', alone(refuse)),
  ...Object.fromEntries(unsupported.map((name) => [name, about([], 'refused: not supported (−32601)', refuse)])),
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
