// Where the two answer differently on purpose (docs/reference/dialects.md), and what makes such answers comparable all
// the same.

type ExpectedDifference = {
  reason: string;
  /** Paths that it concerns. */
  paths: RegExp;
  /** Of each member of both answers: what is compared in its place. */
  level(name: string, value: unknown): unknown;
};

export const expectedDifferences: readonly ExpectedDifference[] = [
  {
    reason:
      'the Hiero mirror node keeps one gas price for all results of an hour, ours is that of their time: `gas_price` is not compared',
    paths: /\/contracts\/.*results/,
    level: (name, value) => (name === 'gas_price' ? null : value),
  },
  {
    reason: 'the Hiero mirror node gives signatures of one time in no order: `signatures` are compared sorted',
    paths: /\/schedules/,
    level: (name, value) => (name === 'signatures' && Array.isArray(value) ? sorted(value) : value),
  },
];

function sorted(values: readonly unknown[]): unknown[] {
  return values.map((value) => JSON.stringify(value)).sort();
}
