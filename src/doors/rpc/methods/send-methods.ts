// Methods of wallets: what a transaction lacks before it is signed, and the way to the network through a relay.
import { setTimeout as sleep } from 'node:timers/promises';
import { keccak256 } from '../../../../packages/protocol/keccak256.ts';
import { encodeTransaction } from '../../../calls/simulate/seal-block.ts';
import type { RpcContext } from '../reading/context.ts';
import { type Kind, usually } from '../reading/kind.ts';
import { transactionHash } from '../reading/kinds.ts';
import { about, type Method, method } from '../reading/method.ts';
import { numberUpTo } from '../reading/plain-numbers.ts';
import { type TransactionToFill, transactionToFill } from '../reading/transaction-to-fill.ts';
import { toUnsigned } from '../shapes/simulated-block.ts';
import { hex } from '../terms/hex.ts';
import { RpcError, rpcError } from '../terms/rpc-error.ts';
import { currentPrice } from './fee-methods.ts';
import { getNonce } from './state-methods.ts';
import { getReceipt } from './transaction-methods.ts';

async function fill(context: RpcContext, { call, sender, weibar, chainId: named }: TransactionToFill) {
  const { machine, chainId } = context;
  if (named !== undefined && named !== chainId) {
    throw rpcError.invalidParameter(`'chainId' for TransactionObject`, `The chain is ${chainId}, not ${named}`);
  }
  const nonce = call.nonce ?? BigInt(await getNonce(context, sender, { kind: 'newest' }));
  const priced = { ...call };
  if (call.maxFeePerGas === 0n) {
    const price = BigInt(await currentPrice(context));
    // As geth does: room for a price that has doubled.
    priced.maxFeePerGas = call.type < 2 ? price : 2n * price + call.maxPriorityFeePerGas;
  }
  const gas = call.gas === null ? await machine.estimate(call, { overrides: [] }) : Number(call.gas);
  const raw = Buffer.from(encodeTransaction(priced, { gas, nonce, weibar }, chainId));
  const sent = { from: call.from!, hash: keccak256(raw), gas, nonce, weibar, gasPrice: null };
  return { raw: hex(raw), tx: toUnsigned(priced, sent, { chainId }) };
}

/** Any text: what it is, the relay says. */
const rawTransaction: Kind<string> = {
  error: 'Expected 0x prefixed hexadecimal value',
  read: (value) => (typeof value === 'string' && /^0[xX][a-fA-F0-9]+$/.test(value) ? value : undefined),
};

function send({ relay }: RpcContext, transaction: string): Promise<unknown> {
  if (relay) return relay([transaction]);
  throw rpcError.onlyReading('This mirror only reads; --relay-url names a JSON-RPC relay that sends transactions.');
}

/** ms. The network takes some seconds, and its files some more to be published. */
const [usualWait, maxWait, askedEvery] = [20_000, 60_000, 500];

/** The transaction reached the network, its receipt is not here yet (EIP-7966). */
const notYet = 4;

async function sendAndWait(context: RpcContext, transaction: string, waitMs: number) {
  const until = performance.now() + waitMs;
  const sent = await send(context, transaction);
  const hash = transactionHash.read(sent);
  if (!hash) throw rpcError.internal('the relay names no transaction');
  for (;;) {
    const receipt = await getReceipt(context, hash);
    if (receipt) return receipt;
    if (performance.now() >= until) {
      throw new RpcError(notYet, `The transaction was sent, and no block has it yet after ${waitMs} ms`, hex(hash));
    }
    await sleep(Math.min(askedEvery, Math.max(until - performance.now(), 0)));
  }
}

export const sendMethods: Readonly<Record<string, Method>> = {
  eth_fillTransaction: about(
    ['transaction without a signature, with its sender'],
    'the transaction with what it lacked: nonce, gas, prices (as geth: twice the present one) and type; `raw` as its RLP, `tx`',
    method([transactionToFill], fill),
  ),
  eth_sendRawTransaction: about(
    ['signed transaction'],
    'handed on to the relay of `--relay-url`; without one −32610',
    method([rawTransaction], send),
  ),
  eth_sendRawTransactionSync: about(
    ['signed transaction', 'how long to wait for it, ms, at most 60,000; usually 20,000'],
    'the same, and the receipt once a block has it; else code 4 with the hash (EIP-7966)',
    method([rawTransaction, usually(numberUpTo(maxWait), usualWait)], sendAndWait),
  ),
};
