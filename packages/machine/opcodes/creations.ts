// CREATE, CREATE2, SELFDESTRUCT.

import { halts } from '../base/halt.ts';
import { toAddress } from '../base/word.ts';
import { creationAddress, saltedAddress, startCreation } from '../calls/start-creation.ts';
import { canSend, isSystemAccount, transfer } from '../calls/transfer.ts';
import { type Frame, noBytes } from '../frame/frame.ts';
import { callableGas, useGas, wordsOf } from '../frame/gas.ts';
import type { Machine } from '../frame/machine.ts';
import { lengthOf, reserve, viewOf } from '../frame/memory.ts';
import { limits, prices } from '../rules/gas-prices.ts';
import type { AccountState } from '../state/account-state.ts';
import { noFacts } from '../state/ledger-facts.ts';
import { isEmpty } from './accounts.ts';
import { type Handler, opcode } from './opcode.ts';

function creation(operation: 'CREATE' | 'CREATE2'): Handler {
  const isSalted = operation === 'CREATE2';
  const items = isSalted ? 4 : 3;
  return (frame, machine) => {
    if (frame.isStatic) throw halts.staticWrite;
    const { stack, account } = frame;
    const { world, rules } = machine;
    frame.size -= items;
    const at = frame.size;
    const [salt, lengthWord, offset, value] = isSalted
      ? [stack[at]!, stack[at + 1]!, stack[at + 2]!, stack[at + 3]!]
      : [0n, stack[at]!, stack[at + 1]!, stack[at + 2]!];
    const length = lengthOf(lengthWord);
    if (rules.fork.limitsInitCode) {
      if (length > rules.initCodeLength) throw halts.codeTooLarge;
      useGas(frame, prices.initCodeWord * wordsOf(length));
    }
    if (isSalted) useGas(frame, prices.keccakWord * wordsOf(length));
    const start = reserve(frame, machine, offset, lengthWord);
    const gas = callableGas(frame.gas);
    frame.returnData = noBytes;
    const { nonce } = account;
    if (frame.depth >= limits.depth || nonce >= limits.nonce || !canSend(account, value, machine)) {
      stack[frame.size++] = 0n;
      return;
    }
    frame.gas -= gas;
    world.setNonce(account, nonce + 1n);
    const initCode = viewOf(frame, start, length);
    const address = isSalted ? saltedAddress(account.address, salt, initCode) : creationAddress(account.address, nonce);
    startCreation(machine, { operation, parent: frame, creator: account, address, value, initCode, gas });
  };
}

function selfdestruct(frame: Frame, machine: Machine): void {
  if (frame.isStatic) throw halts.staticWrite;
  const { stack, account } = frame;
  const { world, rules } = machine;
  const address = toAddress(stack[--frame.size]!);
  if (world.warm(address)) useGas(frame, prices.coldAccount);
  const beneficiary = world.account(address);
  const isDeleted = account.isCreated || !rules.fork.destroysOnlyNew;
  if (account.balance > 0n && isEmpty(beneficiary)) useGas(frame, prices.newAccount);
  if (rules.addresses.checksDestruction) checkDestruction(machine, account, beneficiary, address, isDeleted);
  else if (!beneficiary.exists && account.balance > 0n) world.create(beneficiary);
  if (beneficiary !== account) transfer(account, beneficiary, account.balance, machine);
  else if (isDeleted) world.setBalance(account, 0n);
  if (isDeleted) world.destroy(account);
  frame.state = 'stopped';
}

/** Throws Halt. */
function checkDestruction(
  machine: Machine,
  account: AccountState,
  beneficiary: AccountState,
  address: bigint,
  isDeleted: boolean,
): void {
  const kind = beneficiary.facts?.kind;
  if (isSystemAccount(address, machine) || !beneficiary.exists || kind === 'token' || kind === 'schedule') {
    throw halts.missingAddress;
  }
  // What this transaction created holds none.
  const { isTreasury, holdsTokens } =
    account.facts === null ? noFacts.holdings : machine.world.reads.fact({ kind: 'holdings', account: account.num });
  if (isTreasury) throw halts.treasury;
  const keepsAll = beneficiary === account && !isDeleted;
  if (!keepsAll && holdsTokens) throw halts.ownsTokens;
  if (beneficiary === account && isDeleted) throw halts.destructToSelf;
  if (beneficiary !== account && beneficiary.facts?.needsReceiverSignature) throw halts.receiverSignature;
}

export const creations = [
  opcode(0xf0, 'CREATE', 3, 1, prices.create, creation('CREATE')),
  opcode(0xf5, 'CREATE2', 4, 1, prices.create, creation('CREATE2')),
  opcode(0xff, 'SELFDESTRUCT', 1, 0, 5000, selfdestruct),
];
