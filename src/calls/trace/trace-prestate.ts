// The accounts and slots that a transaction met, as they were before it, or what it changed of them, as Ethereum clients
// list them (prestateTracer). What the network takes for a transaction is not part of a run.
import type { AccountState } from '../../../packages/machine/state/account-state.ts';
import { createGzipText } from './gzip-text.ts';
import type { OpcodeTrace } from './trace-opcodes.ts';

export type PrestateOptions = {
  form: 'prestate';
  /** Only sender and receiver. */
  isTopOnly: boolean;
  /** Before and after, of those alone that changed. */
  isDiff: boolean;
  code: boolean;
  storage: boolean;
  /** Text around the result. */
  head: string;
  tail: string;
};

export const weibarPerTinybar = 10_000_000_000n;

export function tracePrestate({ head, tail, ...shown }: PrestateOptions): OpcodeTrace {
  let result = shown.isDiff ? '{"post":{},"pre":{}}' : '{}';
  return {
    tracer: {
      leave(frame, { world, origin }) {
        if (frame.parent !== null) return;
        const top: readonly bigint[] = [origin, frame.account.address];
        const accounts = [...world.accounts];
        const met = shown.isTopOnly ? accounts.filter(({ address }) => top.includes(address)) : accounts;
        result = shown.isDiff ? formatChanges(met, shown) : formatBefore(met, shown);
      },
    },
    end() {
      const text = createGzipText();
      text.add(`${head}${result}${tail}`);
      return text.end();
    },
  };
}

type Shown = Pick<PrestateOptions, 'code' | 'storage'>;
/** By slot. */
type Slots = readonly (readonly [slot: bigint, value: bigint])[];
type Values = { balance: bigint; nonce: bigint; code: Uint8Array };

/** What was not there is left out. */
function formatBefore(accounts: readonly AccountState[], shown: Shown): string {
  const texts = accounts.flatMap(({ facts, address, slots }) => {
    if (facts === null) return [];
    const members = [`"balance":"${toWeibar(facts.balance)}"`, `"nonce":${facts.nonce}`];
    if (shown.code) members.push(`"code":"${toHex(facts.code)}"`);
    if (shown.storage) members.push(formatSlots([...slots.values()].map(({ slot, original }) => [slot, original])));
    return `"${padded(address, 40)}":{${members.join()}}`;
  });
  return `{${texts.join()}}`;
}

/** As geth writes them: of `post` only what changed, and no slot that is zero. */
function formatChanges(accounts: readonly AccountState[], shown: Shown): string {
  const pre: string[] = [];
  const post: string[] = [];
  for (const account of accounts) {
    const { facts: before, address } = account;
    const after = valuesAfter(account);
    const all = shown.storage ? [...account.slots.values()] : [];
    const slots = after === null ? all : all.filter(({ original, value }) => original !== value);
    const changed = { ...differing(before, after, shown), slots: slots.length > 0 };
    if (!Object.values(changed).some((one) => one)) continue;
    const name = `"${padded(address, 40)}"`;
    if (before) {
      const whole = { balance: true, nonce: before.nonce > 0n, code: shown.code && before.code.length > 0 };
      pre.push(`${name}:${formatAccount(before, whole, nonZero(slots, 'original'))}`);
    }
    if (after) post.push(`${name}:${formatAccount(after, changed, nonZero(slots, 'value'))}`);
  }
  return `{"post":{${post.join()}},"pre":{${pre.join()}}}`;
}

function valuesAfter({ facts, exists, isDestroyed, balance, nonce, code }: AccountState): Values | null {
  if (!exists || isDestroyed) return null;
  // A facade is no code of the account's.
  const isFacade = facts?.kind === 'token' || facts?.kind === 'schedule';
  return { balance, nonce, code: isFacade ? facts.code : code.bytes };
}

/** What was not there before had nothing; there are no changes where it is not there after it either. */
function differing(before: Values | null, after: Values | null, { code }: Shown): Record<keyof Values, boolean> {
  if (after === null) return { balance: before !== null, nonce: false, code: false };
  const had = before ?? { balance: 0n, nonce: 0n, code: noCode };
  return {
    balance: before === null || had.balance !== after.balance,
    nonce: had.nonce !== after.nonce,
    code: code && Buffer.compare(had.code, after.code) !== 0,
  };
}

const noCode = new Uint8Array(0);

function nonZero<Name extends 'original' | 'value'>(
  slots: readonly (Record<Name, bigint> & { slot: bigint })[],
  name: Name,
): Slots {
  return slots.flatMap((one) => (one[name] === 0n ? [] : [[one.slot, one[name]] as const]));
}

function formatAccount(account: Values, shown: Record<keyof Values, boolean>, slots: Slots): string {
  const members: string[] = [];
  if (shown.balance) members.push(`"balance":"${toWeibar(account.balance)}"`);
  if (shown.nonce) members.push(`"nonce":${account.nonce}`);
  if (shown.code) members.push(`"code":"${toHex(account.code)}"`);
  if (slots.length > 0) members.push(formatSlots(slots));
  return `{${members.join()}}`;
}

function formatSlots(slots: Slots): string {
  return `"storage":{${slots.map(([slot, value]) => `"${padded(slot, 64)}":"${padded(value, 64)}"`).join()}}`;
}

const toWeibar = (tinybar: bigint): string => `0x${(tinybar * weibarPerTinybar).toString(16)}`;
const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
const padded = (value: bigint, digits: number): string => `0x${value.toString(16).padStart(digits, '0')}`;
