// What two machines have to agree on.
export type Outcome = {
  result: 'success' | 'revert' | 'halt';
  output: string;
  /** Without what the transaction itself costs. */
  gasUsed: number;
  refund: number;
  logs: string[];
  /** Of an account, afterwards. */
  read(address: bigint): Promise<{ balance: bigint; nonce: bigint; code: string }>;
  /** That are not zero: `address slot` → value. */
  slots: Map<string, bigint>;
  destroyed: bigint[];
};

/** What differs, in words; nothing if they agree. */
export async function differences(ours: Outcome, judged: Outcome, addresses: readonly bigint[]): Promise<string[]> {
  const found: string[] = [];
  const compare = (what: string, one: unknown, other: unknown) => {
    const [first, second] = [show(one), show(other)];
    if (first !== second) found.push(`${what}: ${first}, and the judge has ${second}`);
  };
  compare('result', ours.result, judged.result);
  compare('output', ours.output, judged.output);
  compare('gas used', ours.gasUsed, judged.gasUsed);
  compare('refund', ours.refund, judged.refund);
  compare('logs', ours.logs, judged.logs);
  compare('slots', sorted(ours.slots), sorted(judged.slots));
  compare('destroyed', ours.destroyed.map(String).sort(), judged.destroyed.map(String).sort());
  for (const address of addresses) {
    compare(`account ${address.toString(16)}`, await ours.read(address), await judged.read(address));
  }
  return found;
}

function sorted(slots: Map<string, bigint>): string[] {
  return [...slots].map(([key, value]) => `${key} = ${value}`).sort();
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}` : item));
}
