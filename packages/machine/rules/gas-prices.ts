// Prices of gas (EIP-150, 2028, 2200, 2929, 3529, 3541, 3860, 1153, 5656, 7623, 7702): the same under every version
// that a ledger has had.
export const prices = {
  coldAccount: 2600,
  warmRead: 100,
  coldSlot: 2100,
  setSlot: 20_000,
  /** 5,000 less the price of the cold slot. */
  resetSlot: 2900,
  clearRefund: 4800,
  /** SSTORE halts with this much gas or less. */
  storeReserve: 2300,
  memoryWord: 3,
  memoryQuadratic: 512,
  copyWord: 3,
  keccakWord: 6,
  logTopic: 375,
  logByte: 8,
  expByte: 50,
  callValue: 9000,
  callStipend: 2300,
  newAccount: 25_000,
  create: 32_000,
  codeByte: 200,
  initCodeWord: 2,
  transaction: 21_000,
  zeroByte: 4,
  otherByte: 16,
  listedAddress: 2400,
  listedSlot: 1900,
  authorization: 25_000,
  /** Of an account that was there already. */
  authorizationRefund: 12_500,
  /** Of a token of call data: a byte of zero is one, another byte four. */
  floorToken: 10,
} as const;

export const limits = {
  codeLength: 24_576,
  depth: 1024,
  stack: 1024,
  nonce: (1n << 64n) - 1n,
} as const;
