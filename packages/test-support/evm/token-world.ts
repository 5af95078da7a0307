// A small ledger with tokens, and questions to its system contracts.
import type { Finished } from '../../machine/run/transaction.ts';
import type {
  ExchangeRate,
  NftFacts,
  OwnerFacts,
  RelationFacts,
  ScheduleFacts,
  TokenFacts,
  TokenKeys,
} from '../../machine/state/ledger-facts.ts';
import type { KnownAccount, KnownFact } from '../../machine/state/memory-state.ts';
import { systemContracts } from '../../machine/system/system-contracts.ts';
import { assemble } from './assemble.ts';
import { type CodeRun, called, caller, runCode, tryCode } from './run-code.ts';
import { encodeCall } from './signer-abi.ts';

/** `caller` (1001, run-code.ts) asks; `called` (1002) is a contract that passes calls on. */
export const people = {
  owner: { address: 0xe5e5n << 144n, num: 1105n, balance: 2000n },
  spender: { address: 0xf6f6n << 144n, num: 1106n, balance: 3000n },
  /** Without an EVM address. */
  plain: { address: 1107n, num: 1107n, balance: 1n },
  stranger: { address: 0xabcdn << 144n, num: 1108n, balance: 1n },
} satisfies Record<string, KnownAccount>;

export const nobody = 0x9999n << 144n;

export const tokens = { coin: 3001n, plainCoin: 3002n, art: 3003n, paused: 3004n, fees: 3005n, royal: 3006n };

const keyBytes = (length: number, byte: number) => new Uint8Array(length).fill(byte);
export const ed25519Key = (byte: number) => Uint8Array.of(0x12, 32, ...keyBytes(32, byte));
export const ecdsaKey = (byte: number) => Uint8Array.of(0x3a, 33, 2, ...keyBytes(32, byte));
/** `number` below 2^14 and above 2^7. */
const varint = (number: number) => [(number & 0x7f) | 0x80, number >> 7];
export const contractKey = (num: number) => Uint8Array.of(0x0a, 3, 0x18, ...varint(num));
export const delegatableKey = (num: number) => Uint8Array.of(0x42, 3, 0x18, ...varint(num));

export function ownerFacts(given: Partial<OwnerFacts>): OwnerFacts {
  return { key: null, maxAutomaticAssociations: 0, usedAutomaticAssociations: 0, ...given };
}

export function scheduleFacts(body: Uint8Array): ScheduleFacts {
  return { body, creator: 2n, payer: 2n };
}

const rate: ExchangeRate = { hbar: 30_000n, cent: 450_000n };

const noKeys: TokenKeys = {
  ...{ admin: null, kyc: null, freeze: null, wipe: null, supply: null, feeSchedule: null, pause: null, metadata: null },
};

export function tokenFacts(given: Partial<Omit<TokenFacts, 'keys'>> & { keys?: Partial<TokenKeys> }): TokenFacts {
  const { keys, ...rest } = given;
  return {
    isFungible: true,
    name: 'Token',
    symbol: 'TKN',
    memo: '',
    decimals: 0,
    totalSupply: 1000n,
    maxSupply: 0n,
    isFinite: false,
    treasury: people.owner.num,
    freezeDefault: false,
    freezeStatus: 0,
    kycStatus: 0,
    isPaused: false,
    metadata: new Uint8Array(0),
    created: 1_650_000_000_000_000_000n,
    expiration: null,
    autoRenewPeriod: null,
    autoRenewAccount: null,
    fees: { fixed: [], fractional: [], royalty: [] },
    ...rest,
    keys: { ...noKeys, ...keys },
  };
}

const coin = tokenFacts({
  name: 'Coin',
  symbol: 'CO',
  memo: 'a memo',
  decimals: 12,
  maxSupply: 5000n,
  isFinite: true,
  freezeDefault: true,
  kycStatus: 1,
  metadata: Uint8Array.of(0xaa, 0xbb),
  expiration: 1_707_776_000_500_000_000n,
  autoRenewPeriod: 7_776_000n,
  autoRenewAccount: people.plain.num,
  keys: {
    admin: ed25519Key(0x15),
    freeze: ecdsaKey(0x17),
    wipe: contractKey(1002),
    supply: delegatableKey(1002),
    metadata: ed25519Key(0x1a),
  },
});

export const knownTokens: Readonly<Record<keyof typeof tokens, TokenFacts>> = {
  coin,
  plainCoin: tokenFacts({
    name: 'Plain',
    symbol: 'PLN',
    decimals: 2,
    keys: {
      supply: contractKey(1002),
      wipe: contractKey(1002),
      freeze: contractKey(1002),
      kyc: contractKey(1002),
      pause: contractKey(1002),
    },
  }),
  art: tokenFacts({
    isFungible: false,
    name: 'Pictures',
    symbol: 'PIC',
    totalSupply: 3n,
    autoRenewPeriod: 8_000_000n,
    keys: { supply: contractKey(1002), wipe: contractKey(1002) },
  }),
  paused: tokenFacts({ isPaused: true, keys: { pause: contractKey(1002) } }),
  fees: tokenFacts({
    fees: {
      fixed: [
        { amount: 100n, token: null, collector: people.plain.num },
        { amount: 7n, token: tokens.plainCoin, collector: people.plain.num },
      ],
      fractional: [
        { numerator: 20n, denominator: 100n, min: 1n, max: 1000n, netOfTransfers: true, collector: people.plain.num },
      ],
      royalty: [],
    },
  }),
  royal: tokenFacts({
    isFungible: false,
    totalSupply: 0n,
    fees: {
      fixed: [],
      fractional: [],
      royalty: [
        {
          numerator: 1n,
          denominator: 10n,
          fallback: { amount: 50n, token: tokens.plainCoin },
          collector: people.plain.num,
        },
        { numerator: 1n, denominator: 20n, fallback: null, collector: people.plain.num },
      ],
    },
  }),
};

type KnownRelation = [token: bigint, account: bigint, facts: Partial<RelationFacts>];

const relations: readonly KnownRelation[] = [
  [tokens.coin, 1001n, { balance: 600n, freezeStatus: 1, kycStatus: 1 }],
  [tokens.coin, people.owner.num, { balance: 390n, freezeStatus: 2, kycStatus: 1 }],
  [tokens.coin, people.plain.num, { balance: 10n, freezeStatus: 2, kycStatus: 2, isAutomatic: true }],
  [tokens.plainCoin, 1001n, { balance: 400n }],
  [tokens.plainCoin, 1002n, { balance: 50n }],
  [tokens.plainCoin, people.owner.num, { balance: 550n }],
  [tokens.paused, 1001n, { balance: 5n }],
  [tokens.paused, people.owner.num, { balance: 995n }],
  [tokens.fees, 1001n, { balance: 10n }],
  [tokens.fees, people.owner.num, { balance: 990n }],
  [tokens.art, 1001n, { balance: 1n }],
  [tokens.art, people.owner.num, { balance: 2n }],
  [tokens.art, 1002n, { balance: 0n }],
];

const nft = (owner: bigint, spender: bigint | null, text: string): NftFacts => ({
  owner,
  spender,
  created: 1_660_000_000_900_000_000n,
  metadata: new TextEncoder().encode(text),
});

const knownFacts: readonly KnownFact[] = [
  ...Object.entries(knownTokens).map(
    ([name, facts]): KnownFact => [{ kind: 'token', token: tokens[name as keyof typeof tokens] }, facts],
  ),
  ...relations.map(
    ([token, account, facts]): KnownFact => [
      { kind: 'relation', token, account },
      { balance: 0n, freezeStatus: 0, kycStatus: 0, isAutomatic: false, ...facts },
    ],
  ),
  [{ kind: 'nft', token: tokens.art, serial: 1n }, nft(1001n, people.spender.num, 'ipfs://one')],
  [{ kind: 'nft', token: tokens.art, serial: 2n }, nft(people.owner.num, null, 'ipfs://two')],
  [{ kind: 'nft', token: tokens.art, serial: 3n }, nft(people.owner.num, 1002n, '')],
  [{ kind: 'tokenAllowance', token: tokens.coin, owner: 1001n, spender: people.spender.num }, 33n],
  [{ kind: 'tokenAllowance', token: tokens.plainCoin, owner: people.owner.num, spender: 1001n }, 40n],
  [{ kind: 'tokenAllowance', token: tokens.plainCoin, owner: people.owner.num, spender: 1002n }, 40n],
  [{ kind: 'nftAllowance', token: tokens.art, owner: people.owner.num, spender: people.spender.num }, true],
  [{ kind: 'hbarAllowance', owner: 1001n, spender: people.spender.num }, 321n],
  [{ kind: 'exchangeRate' }, rate],
  [{ kind: 'owner', account: 1001n }, ownerFacts({ key: ecdsaKey(1) })],
];

const entities: readonly KnownAccount[] = [
  ...Object.values(people),
  ...Object.values(tokens).map((address): KnownAccount => ({ address, kind: 'token' })),
];

export type Question = CodeRun & {
  to?: bigint;
  signature: string;
  args?: readonly unknown[];
  more?: readonly KnownFact[];
};

function runOf({ to, signature, args, more = [], transaction, accounts = [], ...run }: Question): CodeRun {
  return {
    systemContracts,
    accounts: [...entities, ...accounts],
    facts: [...knownFacts, ...more],
    transaction: { to: to ?? called, data: encodeCall(signature, args), ...transaction },
    ...run,
  };
}

/** Of the caller itself: at a token's address, or to a system contract. */
export function ask(question: Question): Finished {
  return runCode('STOP', runOf(question));
}

/** The same where the end may be no result. */
export function tryAsk(question: Question) {
  return tryCode('STOP', runOf(question));
}

/** Calls with what follows in the call data, the address in front; answers success and what came back. */
const passOn = (operation: 'CALL' | 'STATICCALL' | 'DELEGATECALL') => `
  PUSH 32 CALLDATASIZE SUB PUSH 32 PUSH 0 CALLDATACOPY
  PUSH 0 PUSH 0 PUSH 32 CALLDATASIZE SUB PUSH 0 ${operation === 'CALL' ? 'PUSH 0' : ''}
  PUSH 0 CALLDATALOAD GAS ${operation}
  PUSH 0 MSTORE RETURNDATASIZE PUSH 0 PUSH 32 RETURNDATACOPY RETURNDATASIZE PUSH 32 ADD PUSH 0 RETURN`;

export type Passed = { succeeded: boolean; output: Uint8Array; result: Finished };

/** Of the contract, which is called by the caller. */
export function askByContract(question: Question & { operation?: 'CALL' | 'STATICCALL' | 'DELEGATECALL' }): Passed {
  const { operation = 'CALL', ...rest } = question;
  const { transaction, ...run } = runOf(rest);
  const data = Buffer.concat([encodeCall('f(uint256)', [question.to]).subarray(4), transaction!.data!]);
  const result = runCode(assemble(passOn(operation)), {
    ...run,
    transaction: { gasLimit: 5_000_000, ...transaction, to: called, data },
  });
  return { succeeded: result.output[31] === 1, output: result.output.subarray(32), result };
}

export { called, caller };
