// Ethereum's hard forks as far as ledgers follow them: what each adds. Opcodes name the fork that they came with
// themselves (opcodes/), precompiles too (precompiles/).
export const forkNames = ['london', 'paris', 'shanghai', 'cancun', 'prague'] as const;
export type ForkName = (typeof forkNames)[number];

export type Fork = {
  name: ForkName;
  /** EIP-3860: init code has a limit and a price by the word. */
  limitsInitCode: boolean;
  /** EIP-6780: SELFDESTRUCT deletes only what the same transaction created. */
  destroysOnlyNew: boolean;
  /** EIP-7623: call data has a least price. */
  hasDataFloor: boolean;
  /** EIP-7702: code may name another address whose code runs. */
  delegates: boolean;
};

/** Whether the fork has what came with `since`. */
export function hasFork(name: ForkName, since: ForkName): boolean {
  return forkNames.indexOf(name) >= forkNames.indexOf(since);
}

export function forkOf(name: ForkName): Fork {
  return {
    name,
    limitsInitCode: hasFork(name, 'shanghai'),
    destroysOnlyNew: hasFork(name, 'cancun'),
    hasDataFloor: hasFork(name, 'prague'),
    delegates: hasFork(name, 'prague'),
  };
}
