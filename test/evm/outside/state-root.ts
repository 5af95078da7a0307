// The root of Ethereum's state tree, and the hash of a list of logs: what state tests say is left behind.
import { RLP } from '@ethereumjs/rlp';
import type { Log } from '../../../packages/machine/frame/log.ts';
import { merkleRoot } from '../../../packages/protocol/ethereum/merkle-root.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import type { TestAccounts } from './state-test-file.ts';

/** Hexadecimal, without 0x; slots of value 0 must not be there. */
export function stateRoot(accounts: TestAccounts): string {
  const entries = [...accounts].map(([address, { nonce, balance, storage, code }]) => {
    const slots = [...storage].map(([slot, value]) => [keccak256(inBytes(slot, 32)), RLP.encode(value)] as const);
    return [keccak256(inBytes(address, 20)), RLP.encode([nonce, balance, merkleRoot(slots), keccak256(code)])] as const;
  });
  return merkleRoot(entries).toString('hex');
}

/** Hexadecimal, without 0x. */
export function logsHash(logs: readonly Log[]): string {
  const listed = logs.map(({ address, topics, data }) => [
    inBytes(address, 20),
    topics.map((topic) => inBytes(topic, 32)),
    data,
  ]);
  return keccak256(RLP.encode(listed)).toString('hex');
}

function inBytes(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex');
}
