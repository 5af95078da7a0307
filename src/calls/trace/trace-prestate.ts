// The accounts and slots that a transaction met, as they were before it, as Ethereum clients list them
// (prestateTracer).
import type { AccountState } from '../../../packages/machine/state/account-state.ts';
import { createGzipText } from './gzip-text.ts';
import type { OpcodeTrace } from './trace-opcodes.ts';

export type PrestateOptions = {
  form: 'prestate';
  /** Only sender and receiver. */
  isTopOnly: boolean;
  /** Text around the result. */
  head: string;
  tail: string;
};

const weibarPerTinybar = 10_000_000_000n;

export function tracePrestate({ isTopOnly, head, tail }: PrestateOptions): OpcodeTrace {
  let accounts: string[] = [];
  return {
    tracer: {
      leave(frame, { world, origin }) {
        if (frame.parent !== null) return;
        const top: readonly bigint[] = [origin, frame.account.address];
        const met = isTopOnly
          ? [...world.accounts].filter(({ address }) => top.includes(address))
          : [...world.accounts];
        accounts = met.flatMap((account) => formatAccount(account) ?? []);
      },
    },
    end() {
      const text = createGzipText();
      text.add(`${head}{${accounts.join()}}${tail}`);
      return text.end();
    },
  };
}

/** null: no account was there. */
function formatAccount({ facts, address, slots }: AccountState): string | null {
  if (facts === null) return null;
  const storage = [...slots.values()].map(({ slot, original }) => `"${toHex(slot, 64)}":"${toHex(original, 64)}"`);
  const balance = `0x${(facts.balance * weibarPerTinybar).toString(16)}`;
  const code = `0x${Buffer.from(facts.code).toString('hex')}`;
  return `"${toHex(address, 40)}":{"balance":"${balance}","nonce":${facts.nonce},"code":"${code}","storage":{${storage.join()}}}`;
}

function toHex(value: bigint, digits: number): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}
