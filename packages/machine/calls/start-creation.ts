// Begins a creation: runs init code at a new address.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { codeOf } from '../base/code.ts';
import { halts } from '../base/halt.ts';
import { readWord, toAddress, writeWord } from '../base/word.ts';
import { createFrame, type Frame, noBytes } from '../frame/frame.ts';
import { type Machine, takeMemory } from '../frame/machine.ts';
import type { AccountState } from '../state/account-state.ts';
import { beginAction } from './actions.ts';
import { endFrame, haltFrame } from './end-frame.ts';
import { transfer } from './transfer.ts';

export type CreationInput = {
  operation: 'CREATE' | 'CREATE2';
  parent: Frame | null;
  creator: AccountState;
  address: bigint;
  value: bigint;
  initCode: Uint8Array;
  gas: number;
};

/** Returns its frame, which has ended already where the address is taken. */
export function startCreation(machine: Machine, input: CreationInput): Frame {
  const { world } = machine;
  const { operation, parent, creator, address, value, initCode, gas } = input;
  const depth = parent === null ? 0 : parent.depth + 1;
  takeMemory(machine, initCode.length);
  world.warm(address);
  const mark = world.journal.mark();
  const account = world.account(address);
  const frame = createFrame({
    parent,
    depth,
    // A copy: the memory that it comes from may change, and code is known by its bytes object.
    code: codeOf(initCode.slice()),
    gas,
    account,
    caller: creator.address,
    value,
    data: noBytes,
    isStatic: false,
    isCreation: true,
    outputStart: 0,
    outputLength: 0,
  });
  frame.mark = mark;
  frame.refundBefore = machine.refund;
  frame.logsBefore = machine.logs.length;
  machine.frame = frame;
  if (parent !== null) parent.state = 'suspended';
  if (isTaken(account)) {
    begin();
    haltFrame(frame, halts.addressTaken);
    endFrame(frame, machine);
    return frame;
  }
  if (!account.exists) world.create(account);
  begin();
  world.becomeContract(account);
  world.setNonce(account, 1n);
  transfer(creator, account, value, machine);
  return frame;

  function begin(): void {
    const { caller } = frame;
    frame.action = beginAction(machine, {
      type: 'CREATE',
      operation,
      depth,
      caller,
      target: account,
      gas,
      value,
      input: noBytes,
      initCode,
    });
    machine.tracer?.enter?.(frame, 'CREATE', machine);
  }
}

/** An account without code that has never made a transaction may become the contract of its address. */
function isTaken({ nonce, code, isCreated }: AccountState): boolean {
  return nonce !== 0n || code.bytes.length > 0 || isCreated;
}

/** Of CREATE: the hash of the RLP list of sender and nonce. */
export function creationAddress(sender: bigint, nonce: bigint): bigint {
  const length = nonce < 0x80n ? 0 : Math.ceil(nonce.toString(16).length / 2);
  const bytes = new Uint8Array(23 + length);
  bytes[0] = 0xc0 + 22 + length;
  bytes[1] = 0x94;
  bytes.set(writeWord(sender, 20), 2);
  if (length === 0) bytes[22] = nonce === 0n ? 0x80 : Number(nonce);
  else {
    bytes[22] = 0x80 + length;
    bytes.set(writeWord(nonce, length), 23);
  }
  return toAddress(readWord(keccak_256(bytes), 0, 32));
}

/** Of CREATE2. */
export function saltedAddress(sender: bigint, salt: bigint, initCode: Uint8Array): bigint {
  const bytes = new Uint8Array(85);
  bytes[0] = 0xff;
  bytes.set(writeWord(sender, 20), 1);
  bytes.set(writeWord(salt), 21);
  bytes.set(keccak_256(initCode), 53);
  return toAddress(readWord(keccak_256(bytes), 0, 32));
}
