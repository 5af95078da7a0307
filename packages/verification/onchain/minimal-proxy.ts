// Minimal proxies (EIP-1167 and similar): their code is fixed, and the contract that they forward to has the sources.

/** The target of all calls, 0x and 40 lower-case hex digits; null = the code is not a minimal proxy. */
export function readMinimalProxy(code: Buffer): string | null {
  const hex = code.toString('hex');
  for (const pattern of patterns) {
    const digits = pattern.exec(hex)?.[1];
    if (digits !== undefined) return `0x${digits.padStart(40, '0')}`;
  }
  return null;
}

const patterns = [
  // EIP-1167; clones with immutable arguments append them.
  /^363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/,
  // EIP-1167 for addresses with leading zeros: PUSH1 … PUSH19, and a jump that is shorter by as much.
  ...Array.from({ length: 19 }, (_, index) => {
    const length = index + 1;
    const push = (0x5f + length).toString(16);
    const target = (0x17 + length).toString(16);
    return new RegExp(`^363d3d373d3d3d363d${push}([0-9a-f]{${length * 2}})5af43d82803e903d9160${target}57fd5bf3`);
  }),
  // A byte shorter and cheaper (EIP-7511 without, and with PUSH0).
  /^3d3d3d3d363d3d37363d73([0-9a-f]{40})5af43d3d93803e602a57fd5bf3/,
  /^365f5f375f5f365f73([0-9a-f]{40})5af43d5f5f3e5f3d91602a57fd5bf3/,
];
