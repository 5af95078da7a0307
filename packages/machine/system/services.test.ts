// Exchange rate, random numbers, accounts and schedules; prices of both lists; facts that are not in memory.
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proto, toLong } from '../../protocol/hapi/hapi.ts';
import { simpleFees } from '../../simulated-network/ledger/simple-fees.ts';
import { decodeResult } from '../../test-support/evm/signer-abi.ts';
import {
  ask,
  askByContract,
  called,
  caller,
  nobody,
  ownerFacts,
  people,
  type Question,
  scheduleFacts,
  tokens,
  tryAsk,
} from '../../test-support/evm/token-world.ts';
import type { Fees } from '../state/ledger-facts.ts';
import type { KnownFact } from '../state/memory-state.ts';
import { gasOf, operationGas, prices, viewGas } from './gas/prices.ts';

const { plain, spender, stranger } = people;
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const bytes = (length: number, byte: number) => new Uint8Array(length).fill(byte);

describe('0x16e', () => {
  it('is a system contract without functions: nothing comes back, and all gas is taken', () => {
    const asked = askByContract({
      to: 0x16en,
      signature: 'sendMessage(bytes)',
      args: [bytes(3, 1)],
      withActions: true,
    });
    const [, action] = asked.result.actions;
    expect(asked).toMatchObject({ succeeded: true, output: new Uint8Array(0) });
    expect(action).toMatchObject({ type: 'SYSTEM' });
    expect(action!.gasUsed).toBe(action!.gas);
  });

  it('takes no value, and nobody can delegate to it', () => {
    expect(
      ask({ to: 0x16en, signature: 'sendMessage(bytes)', args: [bytes(3, 1)], transaction: { value: 1n } }).status,
    ).toBe('INVALID_CONTRACT_ID');
    expect(
      askByContract({ to: 0x16en, signature: 'sendMessage(bytes)', args: [bytes(3, 1)], operation: 'DELEGATECALL' })
        .succeeded,
    ).toBe(false);
  });
});

describe('0x168', () => {
  const rate = (signature: string, amount: bigint, more: Partial<Question> = {}) =>
    askByContract({ to: 0x168n, signature, args: [amount], withActions: true, ...more });

  it('converts by the current rate and truncates, for 100 gas', () => {
    const cases: [signature: string, amount: bigint, result: bigint][] = [
      ['tinycentsToTinybars(uint256)', 100n, 6n],
      ['tinybarsToTinycents(uint256)', 100n, 1500n],
      ['tinycentsToTinybars(uint256)', 123_456_789_012_345n, 8_230_452_600_823n],
      ['tinycentsToTinybars(uint256)', 0n, 0n],
    ];
    for (const [signature, amount, result] of cases) {
      const { output, result: run } = rate(signature, amount);
      expect([decodeResult('(uint256)', output), run.actions.at(-1)!.gasUsed]).toEqual([[result], 100]);
    }
  });

  it('has the rate of the beginning where there is no file', () => {
    const more: KnownFact[] = [[{ kind: 'exchangeRate' }, { hbar: 30_000n, cent: 360_000n }]];
    const of = (signature: string) => decodeResult('(uint256)', rate(signature, 100n, { more }).output)[0];
    expect([of('tinycentsToTinybars(uint256)'), of('tinybarsToTinycents(uint256)')]).toEqual([8n, 1200n]);
  });

  it('halts for anything else, and for what is too large', () => {
    expect(rate('f(uint256)', 1n)).toMatchObject({ succeeded: false, output: new Uint8Array(0) });
    expect(rate('tinybarsToTinycents(uint256)', (1n << 256n) - 1n).succeeded).toBe(false);
    expect(ask({ to: 0x168n, signature: 'tinycentsToTinybars()' }).status).toBe('CONTRACT_EXECUTION_EXCEPTION');
  });
});

it('0x169 takes the price of a random number, and in a static frame that of a view', () => {
  const gas = (operation: 'CALL' | 'STATICCALL', signature = 'getPseudorandomSeed()') => {
    const { succeeded, result } = askByContract({ to: 0x169n, signature, operation, withActions: true });
    return [succeeded, result.actions.at(-1)!.gasUsed];
  };
  expect([gas('CALL'), gas('STATICCALL')]).toEqual([
    [true, 15_284],
    [true, 2607],
  ]);
  expect(gas('CALL', 'getPseudorandomNumber()')[0]).toBe(false);
});

it('0x169 answers one number that is not zero for a block', () => {
  const seed = (prevRandao: bigint) =>
    text(
      askByContract({
        to: 0x169n,
        signature: 'getPseudorandomSeed()',
        block: { number: 1n, timestamp: 1n, prevRandao, chainId: 298n },
      }).output,
    );
  const [first, again, other] = [seed(0n), seed(0n), seed(1n)];
  expect([first.length, again === first, other === first]).toEqual([32, true, false]);
  expect(first).not.toBe('\0'.repeat(32));
});

describe('0x16a', () => {
  const asked = (signature: string, args: unknown[], types: string, more: Partial<Question> = {}) => {
    const { succeeded, output } = askByContract({ to: 0x16an, signature, args, ...more });
    return succeeded ? decodeResult(types, output) : text(output);
  };
  const addresses: [signature: string, address: bigint, answer: unknown[]][] = [
    ['getEvmAddressAlias(address)', 1001n, [22n, caller]],
    ['getEvmAddressAlias(address)', caller, [15n, 0n]],
    ['getEvmAddressAlias(address)', plain.num, [15n, 0n]],
    ['getEvmAddressAlias(address)', 999_999n, [15n, 0n]],
    ['getHederaAccountNumAlias(address)', caller, [22n, 1001n]],
    ['getHederaAccountNumAlias(address)', 1001n, [15n, 0n]],
    ['getHederaAccountNumAlias(address)', nobody, [15n, 0n]],
  ];
  it.each(addresses)('%s of %s', (signature, address, answer) => {
    expect(asked(signature, [address], '(int64,address)')).toEqual(answer);
  });

  it('says whether an address is an account', () => {
    const valid = (address: bigint) => asked('isValidAlias(address)', [address], '(bool)');
    expect([caller, 1001n, plain.num, called, nobody, 0n, tokens.coin].map((address) => valid(address))).toEqual(
      [true, true, true, true, false, false, false].map((value) => [value]),
    );
  });

  it('says what is left of an allowance of hbar', () => {
    const left = (owner: bigint, by: bigint) => asked('hbarAllowance(address,address)', [owner, by], '(int64,int256)');
    expect([left(caller, spender.num), left(spender.num, caller), left(caller, nobody)]).toEqual([
      [22n, 321n],
      [22n, 0n],
      [22n, 0n],
    ]);
    expect(left(nobody, caller)).toBe('INVALID_ALLOWANCE_OWNER_ID');
  });

  it('answers at the account itself too, by proxy and by delegation', () => {
    for (const version of ['0.66', '0.67']) {
      const question = { version, to: caller, signature: 'hbarAllowance(address)', args: [spender.address] };
      expect(decodeResult('(int64,int256)', askByContract(question).output)).toEqual([22n, 321n]);
    }
  });

  it('lets the asker allow, and nobody else', () => {
    const approve = (owner: bigint) =>
      tryAsk({ to: 0x16an, signature: 'hbarApprove(address,address,int256)', args: [owner, spender.num, 5n] });
    expect(approve(caller)).toMatchObject({
      kind: 'finished',
      status: 'SUCCESS',
      output: Buffer.from('16'.padStart(64, '0'), 'hex'),
    });
    expect(approve(stranger.address)).toMatchObject({ kind: 'notSupported' });
  });

  describe('isAuthorizedRaw', () => {
    const secret = bytes(32, 7);
    const hash = keccak_256(bytes(3, 9));
    const publicKey = secp256k1.getPublicKey(secret, false);
    const address = BigInt(`0x${Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString('hex')}`);
    const recovered = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' });
    const signature = (v: number[]) => Uint8Array.from([...recovered.subarray(1), ...v]);
    const bit = recovered[0]!;
    const edSecret = bytes(32, 5);
    const edKey = ed25519.getPublicKey(edSecret);
    const accounts = [{ address, num: 1201n, balance: 1n }];
    const owner = (account: bigint, key: Uint8Array): KnownFact => [{ kind: 'owner', account }, ownerFacts({ key })];
    const more = [owner(plain.num, Uint8Array.of(0x12, 32, ...edKey)), owner(stranger.num, Uint8Array.of(0x32, 0))];
    const raw = (of: bigint, message: Uint8Array, signed: Uint8Array) =>
      asked('isAuthorizedRaw(address,bytes,bytes)', [of, message, signed], '(bool)', { accounts, more });

    it('recovers the address, however v is written', () => {
      for (const v of [[bit], [27 + bit], [35 + 298 * 2 + bit].flatMap((n) => [n >> 8, n & 255])]) {
        expect(raw(address, hash, signature(v))).toEqual([true]);
      }
      expect(raw(address, hash, signature([1 - bit]))).toEqual([false]);
      expect(raw(address, keccak_256(hash), signature([bit]))).toEqual([false]);
      expect(raw(address, hash, signature([5]))).toEqual([false]);
      expect(raw(address, hash, bytes(65, 0))).toEqual([false]);
    });

    it('verifies ED25519 with the key of the account', () => {
      const message = bytes(40, 3);
      expect(raw(plain.num, message, ed25519.sign(message, edSecret))).toEqual([true]);
      expect(raw(plain.num, bytes(40, 4), ed25519.sign(message, edSecret))).toEqual([false]);
    });

    const refused: [what: string, of: bigint, message: Uint8Array, signed: Uint8Array, status: string][] = [
      ['a signature of another length', address, hash, bytes(63, 1), 'INVALID_TRANSACTION_BODY'],
      ['a hash of another length', address, bytes(31, 1), signature([bit]), 'INVALID_TRANSACTION_BODY'],
      ['nobody', nobody, hash, signature([bit]), 'INVALID_ACCOUNT_ID'],
      ['a number with ECDSA', 1201n, hash, signature([bit]), 'INVALID_ACCOUNT_ID'],
      ['a list of keys', stranger.num, hash, bytes(64, 1), 'INVALID_TRANSACTION_BODY'],
      ['an ECDSA key with ED25519', 1001n, hash, bytes(64, 1), 'INVALID_SIGNATURE_TYPE_MISMATCHING_KEY'],
    ];
    it.each(refused)('reverts for %s', (_, of, message, signed, status) => {
      expect(raw(of, message, signed)).toBe(status);
    });

    it('checks signatures of a map against all keys', () => {
      const message = bytes(100, 6);
      const ecdsaKey = secp256k1.getPublicKey(secret, true);
      const both = proto.Key.encode({
        keyList: { keys: [{ ed25519: edKey }, { ECDSASecp256k1: ecdsaKey }] },
      }).finish();
      const pairs = [
        { pubKeyPrefix: edKey.subarray(0, 4), ed25519: ed25519.sign(message, edSecret) },
        { pubKeyPrefix: ecdsaKey, ECDSASecp256k1: secp256k1.sign(keccak_256(message), secret, { prehash: false }) },
      ];
      const authorized = (sigPair: proto.ISignaturePair[]) =>
        asked(
          'isAuthorized(address,bytes,bytes)',
          [plain.num, message, proto.SignatureMap.encode({ sigPair }).finish()],
          '(int64,bool)',
          { more: [owner(plain.num, both)] },
        );
      expect([authorized(pairs), authorized(pairs.slice(1)), authorized([])]).toEqual([
        [22n, true],
        [22n, false],
        [22n, false],
      ]);
    });
  });
});

describe('0x16b', () => {
  const body = (tokenType: number) =>
    proto.SchedulableTransactionBody.encode({
      tokenCreation: {
        ...{ name: 'Later', symbol: 'LTR', decimals: 3, initialSupply: toLong(77n), memo: 'm', tokenType },
        treasury: { accountNum: toLong(plain.num) },
        supplyKey: { ed25519: bytes(32, 4) },
        customFees: [{ fixedFee: { amount: toLong(5n) }, feeCollectorAccountId: { accountNum: toLong(1106n) } }],
      },
    }).finish();
  const schedule = (num: bigint, content: Uint8Array): KnownFact => [
    { kind: 'schedule', schedule: num },
    scheduleFacts(content),
  ];
  const more = [schedule(6001n, body(0)), schedule(6002n, body(1)), schedule(6003n, bytes(3, 0xff))];
  const token =
    '((string,string,address,string,bool,int64,bool,(uint256,(bool,address,bytes,bytes,address))[],(int64,address,int64)),int64,bool,bool,bool,(int64,address,bool,bool,address)[],(int64,int64,int64,int64,bool,address)[],(int64,int64,int64,address,bool,address)[],string)';

  it('shows the token that a schedule will make', () => {
    const of = (address: bigint) => {
      const signature = 'getScheduledCreateFungibleTokenInfo(address)';
      const { output } = askByContract({ to: 0x16bn, signature, args: [address], more });
      const [code, [info, decimals]] = decodeResult(`(int64,(${token},int32))`, output) as [
        bigint,
        [unknown[][], bigint],
      ];
      return [code, info[0]!.slice(0, 4), info[1], info[5], decimals];
    };
    const fee = [5n, 0n, true, false, 1106n];
    expect(of(6001n)).toEqual([22n, ['Later', 'LTR', plain.num, 'm'], 77n, [fee], 3n]);
    for (const other of [6002n, 6003n, 6004n, nobody]) expect(of(other)).toEqual([201n, ['', '', 0n, ''], 0n, [], 0n]);
  });

  it('shows NFTs with the treasury as owner', () => {
    const signature = 'getScheduledCreateNonFungibleTokenInfo(address)';
    const { output } = askByContract({ to: 0x16bn, signature, args: [6002n], more });
    const [code, [, ...nft]] = decodeResult(`(int64,(${token},int64,address,int64,bytes,address))`, output) as [
      bigint,
      unknown[],
    ];
    expect([code, ...nft]).toEqual([22n, 0n, plain.num, 0n, new Uint8Array(0), 0n]);
  });
});

describe('prices', () => {
  const classic: Fees = { gasPrice: 852_000n, simple: null };

  it('are rounded as the network rounds', () => {
    expect([1_000_000n, 10_000_000n, 0n].map((tinycents) => gasOf(tinycents, classic))).toEqual([2607, 15_284, 1198]);
    expect([viewGas(classic), operationGas(classic, 'freeze'), operationGas(classic, 'tokenTransfer', 2)]).toEqual([
      2607, 15_284, 15_284,
    ]);
  });

  it('follow the price of gas', () => {
    expect(viewGas({ gasPrice: 852_000_000_000n, simple: null })).toBe(1200);
    expect(gasOf(10_000_000n, { gasPrice: 426_000n })).toBe(29_368);
  });

  it('are those of the simple list where there is one: base and extras beyond what is free', () => {
    const simple: Fees = { gasPrice: 852_000n, simple: simpleFees };
    const of = (tinycents: bigint) => gasOf(tinycents, simple);
    expect([
      operationGas(simple, 'approve'),
      operationGas(simple, 'associate'),
      operationGas(simple, 'associate', 2),
      operationGas(simple, 'freeze'),
      operationGas(simple, 'mint'),
    ]).toEqual([of(499_000_000n), of(499_000_000n), of(999_000_000n), of(9_000_000n), of(9_000_000n)]);
    expect(Object.keys(prices).filter((name) => !(operationGas(simple, name as never) > 0))).toEqual([]);
  });
});

describe('facts that are not in memory', () => {
  const questions: Question[] = [
    { to: tokens.coin, signature: 'balanceOf(address)', args: [caller] },
    { to: tokens.plainCoin, signature: 'transfer(address,uint256)', args: [people.owner.address, 9n] },
    {
      to: tokens.plainCoin,
      signature: 'transferFrom(address,address,uint256)',
      args: [people.owner.address, caller, 9n],
    },
    { to: 0x167n, signature: 'getTokenInfo(address)', args: [tokens.fees] },
    { to: tokens.fees, signature: 'transfer(address,uint256)', args: [people.owner.address, 1n] },
    { to: 0x168n, signature: 'tinybarsToTinycents(uint256)', args: [5n] },
  ];
  it('are asked for in rounds, until the answer is what it is with all of them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...questions), (question) => {
        const expected = tryAsk(question);
        const got = new Set<string>();
        const name = (fact: unknown) =>
          JSON.stringify(fact, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
        for (let round = 0; ; round++) {
          expect(round).toBeLessThan(5);
          const result = tryAsk({ ...question, isKnown: (fact) => fact.kind !== 'fact' || got.has(name(fact)) });
          if (result.kind !== 'missing') {
            expect(result).toEqual(expected);
            return;
          }
          for (const fact of result.facts) got.add(name(fact));
        }
      }),
      { numRuns: 20 },
    );
  });
});
