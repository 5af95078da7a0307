// What a transaction changed, from the states before and after it of prestateTracer, as OpenEthereum and Erigon write
// it: `=` for what is as it was, else what went (`-`), came (`+`) or became another (`*`).

/** As prestateTracer writes an account with `diffMode`; `nonce` is no quantity. */
export type AccountValues = { balance?: string; nonce?: number; code?: string; storage?: Record<string, string> };
export type Changes = { pre: Record<string, AccountValues>; post: Record<string, AccountValues> };

type Change<T> = '=' | { '+': T } | { '-': T } | { '*': { from: T; to: T } };
export type AccountDiff = Record<'balance' | 'code' | 'nonce', Change<string>> & {
  storage: Record<string, Change<string>>;
};

/** Throws nothing away: who is in neither list did not change. */
export function toStateDiff({ pre, post }: Changes): Record<string, AccountDiff> {
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])].sort();
  return Object.fromEntries(addresses.map((address) => [address, toAccountDiff(pre[address], post[address])]));
}

function toAccountDiff(before: AccountValues | undefined, after: AccountValues | undefined): AccountDiff {
  const slots = [...new Set([...Object.keys(before?.storage ?? {}), ...Object.keys(after?.storage ?? {})])].sort();
  const show = (value: AccountValues) => ({
    balance: value.balance ?? '0x0',
    code: value.code ?? '0x',
    nonce: `0x${(value.nonce ?? 0).toString(16)}`,
  });
  const storage = (toChange: (slot: string) => Change<string>) =>
    Object.fromEntries(slots.map((slot) => [slot, toChange(slot)]));
  if (!before)
    return {
      ...mapped(show(after!), (to) => ({ '+': to })),
      storage: storage((slot) => ({ '+': after!.storage![slot]! })),
    };
  if (!after)
    return {
      ...mapped(show(before), (from) => ({ '-': from })),
      storage: storage((slot) => ({ '-': before.storage![slot]! })),
    };
  const [from, to] = [show(before), show({ ...before, ...after })];
  const change = (name: keyof typeof from): Change<string> =>
    from[name] === to[name] ? '=' : { '*': { from: from[name], to: to[name] } };
  return {
    ...{ balance: change('balance'), code: change('code'), nonce: change('nonce') },
    storage: storage((slot) => ({
      '*': { from: before.storage?.[slot] ?? zero, to: after.storage?.[slot] ?? zero },
    })),
  };
}

function mapped<Names extends string>(values: Record<Names, string>, to: (value: string) => Change<string>) {
  return Object.fromEntries(Object.entries<string>(values).map(([name, value]) => [name, to(value)])) as Record<
    Names,
    Change<string>
  >;
}

const zero = `0x${'0'.repeat(64)}`;
