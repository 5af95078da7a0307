// What tokens answer at their addresses, and what 0x167 and 0x16c answer about them.
import { describe, expect, it } from 'vitest';
import { decodeResult, encodeCall } from '../../../test-support/evm/signer-abi.ts';
import {
  ask,
  askByContract,
  called,
  caller,
  ecdsaKey,
  ed25519Key,
  nobody,
  people,
  type Question,
  tokens,
} from '../../../test-support/evm/token-world.ts';

const none = new Uint8Array(0);
const { owner, spender, plain, stranger } = people;
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const versions = ['0.66', '0.67'];

describe('a token at its address', () => {
  const cases: [name: string, token: bigint, signature: string, args: unknown[], types: string, value: unknown][] = [
    ['name', tokens.coin, 'name()', [], '(string)', 'Coin'],
    ['symbol', tokens.coin, 'symbol()', [], '(string)', 'CO'],
    ['decimals', tokens.coin, 'decimals()', [], '(uint8)', 12n],
    ['supply', tokens.coin, 'totalSupply()', [], '(uint256)', 1000n],
    ['supply of NFTs', tokens.art, 'totalSupply()', [], '(uint256)', 3n],
    ['balance', tokens.coin, 'balanceOf(address)', [caller], '(uint256)', 600n],
    ['balance by number', tokens.coin, 'balanceOf(address)', [1001n], '(uint256)', 600n],
    ['balance of a frozen one', tokens.coin, 'balanceOf(address)', [plain.address], '(uint256)', 10n],
    ['balance without association', tokens.coin, 'balanceOf(address)', [stranger.address], '(uint256)', 0n],
    ['balance of NFTs', tokens.art, 'balanceOf(address)', [owner.address], '(uint256)', 2n],
    ['allowance', tokens.coin, 'allowance(address,address)', [caller, spender.address], '(uint256)', 33n],
    ['no allowance', tokens.coin, 'allowance(address,address)', [spender.address, caller], '(uint256)', 0n],
    ['allowance of nobody', tokens.coin, 'allowance(address,address)', [nobody, caller], '(uint256)', 0n],
    ['allowance of NFTs', tokens.art, 'allowance(address,address)', [caller, owner.address], '(uint256)', 22n],
    ['owner', tokens.art, 'ownerOf(uint256)', [1n], '(address)', caller],
    ['approved', tokens.art, 'getApproved(uint256)', [1n], '(address)', spender.address],
    ['approved nobody', tokens.art, 'getApproved(uint256)', [2n], '(address)', 0n],
    ['approved all', tokens.art, 'isApprovedForAll(address,address)', [owner.num, spender.num], '(bool)', true],
    ['approved all, not', tokens.art, 'isApprovedForAll(address,address)', [spender.num, owner.num], '(bool)', false],
    ['approved all, nobody', tokens.art, 'isApprovedForAll(address,address)', [nobody, owner.num], '(bool)', false],
    ['URI', tokens.art, 'tokenURI(uint256)', [1n], '(string)', 'ipfs://one'],
    ['empty URI', tokens.art, 'tokenURI(uint256)', [3n], '(string)', ''],
    [
      'URI of no serial',
      tokens.art,
      'tokenURI(uint256)',
      [77n],
      '(string)',
      'ERC721Metadata: URI query for nonexistent token',
    ],
    ['associated', tokens.coin, 'isAssociated()', [], '(bool)', true],
    ['not associated', tokens.royal, 'isAssociated()', [], '(bool)', false],
  ];
  it.each(cases)('%s', (_, to, signature, args, types, value) => {
    for (const version of versions) {
      const { status, output } = ask({ version, to, signature, args });
      expect([status, decodeResult(types, output)]).toEqual(['SUCCESS', [value]]);
      const { succeeded, output: passed } = askByContract({ version, to, signature, args, operation: 'CALL' });
      // The contract itself is associated with neither.
      if (signature !== 'isAssociated()') expect([succeeded, text(passed)]).toEqual([true, text(output)]);
    }
  });

  const reverts: [signature: string, token: bigint, args: unknown[], status: string, operation?: 'STATICCALL'][] = [
    ['balanceOf(address)', tokens.coin, [nobody], 'INVALID_ACCOUNT_ID'],
    ['ownerOf(uint256)', tokens.art, [77n], 'INVALID_TOKEN_NFT_SERIAL_NUMBER'],
    ['ownerOf(uint256)', tokens.art, [(1n << 64n) + 1n], 'INVALID_TOKEN_NFT_SERIAL_NUMBER'],
    ['getApproved(uint256)', tokens.art, [77n], 'INVALID_TOKEN_NFT_SERIAL_NUMBER'],
    ['getApproved(uint256)', tokens.coin, [1n], 'INVALID_TOKEN_NFT_SERIAL_NUMBER'],
    ['getApproved(uint256)', tokens.coin, [1n], 'INVALID_TOKEN_ID', 'STATICCALL'],
    ['allowance(address,address)', tokens.art, [caller, caller], 'INVALID_TOKEN_ID', 'STATICCALL'],
    ['isApprovedForAll(address,address)', tokens.coin, [caller, caller], 'INVALID_TOKEN_ID'],
  ];
  it.each(reverts)('%s of %s reverts', (signature, to, args, status, operation = undefined as never) => {
    for (const version of versions) {
      const { succeeded, output, result } = askByContract({ version, to, signature, args, operation });
      expect([succeeded, text(output), result.failedChildren]).toEqual([false, status, [status]]);
    }
  });

  const halts: [signature: string, token: bigint, args: unknown[]][] = [
    ['decimals()', tokens.art, []],
    ['ownerOf(uint256)', tokens.coin, [1n]],
    ['tokenURI(uint256)', tokens.coin, [1n]],
  ];
  it.each(halts)('%s of the other kind halts', (signature, to, args) => {
    expect(versions.map((version) => ask({ version, to, signature, args }).status)).toEqual(
      // The proxy's frame survives the halt of its delegate call, and reverts.
      ['CONTRACT_REVERT_EXECUTED', 'CONTRACT_EXECUTION_EXCEPTION'],
    );
  });

  it('takes all gas for a function that it does not know', () => {
    for (const version of versions) {
      const { succeeded, output, result } = askByContract({ version, to: tokens.coin, signature: 'nobodyKnows()' });
      expect([succeeded, text(output), result.gasConsumed > 4_800_000]).toEqual([true, '', true]);
    }
  });

  it('costs 2,607 gas a question, and 21,000 and its data the transaction', () => {
    const data = encodeCall('balanceOf(address)', [caller]);
    const zeros = data.filter((byte) => byte === 0).length;
    const intrinsic = 21_000 + 4 * zeros + 16 * (data.length - zeros);
    const { gasConsumed, actions } = ask({
      to: tokens.coin,
      signature: 'balanceOf(address)',
      args: [caller],
      withActions: true,
    });
    expect(gasConsumed).toBe(intrinsic + 2607);
    expect(actions).toMatchObject([{ type: 'SYSTEM', gasUsed: 2607 }]);
  });
});

describe('redirectForToken', () => {
  const name = encodeCall('name()');
  const redirect = (args: unknown[], more: Partial<Question> = {}) =>
    askByContract({ to: 0x167n, signature: 'redirectForToken(address,bytes)', args, ...more });

  it('takes the ABI form, and answers what the token answers', () => {
    const { succeeded, output } = redirect([tokens.coin, name]);
    expect([succeeded, decodeResult('(string)', output)]).toEqual([true, ['Coin']]);
  });

  it('takes the packed form of proxies', () => {
    const data = Buffer.concat([
      encodeCall('redirectForToken(address,bytes)', [0n, none]).subarray(0, 4),
      encodeCall('f(uint256)', [tokens.coin]).subarray(16),
      name,
    ]);
    const { output } = ask({ signature: 'name()', transaction: { to: 0x167n, data } });
    expect(decodeResult('(string)', output)).toEqual(['Coin']);
  });

  it('reverts for an unknown token', () => {
    const { succeeded, output } = redirect([caller, name]);
    expect([succeeded, text(output)]).toEqual([false, 'INVALID_TOKEN_ID']);
  });

  it('halts for less than a function, and when a contract delegates', () => {
    expect(redirect([tokens.coin, none]).succeeded).toBe(false);
    expect(
      redirect([tokens.coin, name], { version: '0.66', operation: 'DELEGATECALL' } as Partial<Question>),
    ).toMatchObject({ succeeded: false, output: none });
    // A contract that says that it is the facade of itself.
    expect(redirect([called, name], { operation: 'DELEGATECALL' } as Partial<Question>).succeeded).toBe(false);
  });
});

const hederaToken = [
  ...['Coin', 'CO', owner.num, 'a memo', true, 5000n, true],
  [
    [1n, [false, 0n, ed25519Key(0x15).subarray(2), none, 0n]],
    [2n, [false, 0n, none, none, 0n]],
    [4n, [false, 0n, none, ecdsaKey(0x17).subarray(2), 0n]],
    [8n, [false, 1002n, none, none, 0n]],
    [16n, [false, 0n, none, none, 1002n]],
    [32n, [false, 0n, none, none, 0n]],
    [64n, [false, 0n, none, none, 0n]],
  ],
  [1_707_776_000n, plain.num, 7_776_000n],
];
const coinInfo = [hederaToken, 1000n, false, true, false, [], [], [], '0x03'];
const keyType = '(bool,address,bytes,bytes,address)';
const tokenType = `(string,string,address,string,bool,int64,bool,(uint256,${keyType})[],(int64,address,int64))`;
const feeTypes =
  '(int64,address,bool,bool,address)[],(int64,int64,int64,int64,bool,address)[],(int64,int64,int64,address,bool,address)[]';
const infoType = (token = tokenType) => `(${token},int64,bool,bool,bool,${feeTypes},string)`;
const emptyInfo = [['', '', 0n, '', false, 0n, false, [], [0n, 0n, 0n]], 0n, false, false, false, [], [], [], ''];
const noKey = [false, 0n, none, none, 0n];

describe('0x167', () => {
  const cases: [signature: string, args: unknown[], types: string, values: unknown[]][] = [
    ['isToken(address)', [tokens.coin], '(int64,bool)', [22n, true]],
    ['isToken(address)', [caller], '(int64,bool)', [22n, false]],
    ['isFrozen(address,address)', [tokens.coin, 1001n], '(int64,bool)', [22n, true]],
    ['isFrozen(address,address)', [tokens.coin, owner.address], '(int64,bool)', [22n, false]],
    ['isFrozen(address,address)', [tokens.coin, stranger.address], '(int64,bool)', [22n, false]],
    ['isFrozen(address,address)', [caller, caller], '(int64,bool)', [167n, false]],
    ['isKyc(address,address)', [tokens.coin, caller], '(int64,bool)', [22n, true]],
    ['isKyc(address,address)', [tokens.coin, plain.address], '(int64,bool)', [22n, false]],
    ['isKyc(address,address)', [tokens.coin, stranger.address], '(int64,bool)', [22n, false]],
    ['isKyc(address,address)', [tokens.plainCoin, caller], '(int64,bool)', [22n, true]],
    ['isKyc(address,address)', [tokens.coin, nobody], '(int64,bool)', [15n, false]],
    ['getTokenDefaultFreezeStatus(address)', [tokens.coin], '(int64,bool)', [22n, true]],
    ['getTokenDefaultKycStatus(address)', [tokens.coin], '(int64,bool)', [22n, true]],
    ['getTokenDefaultKycStatus(address)', [tokens.art], '(int64,bool)', [22n, false]],
    ['getTokenType(address)', [tokens.coin], '(int64,int32)', [22n, 0n]],
    ['getTokenType(address)', [tokens.art], '(int64,int32)', [22n, 1n]],
    ['getTokenType(address)', [caller], '(int64,int32)', [167n, 0n]],
    ['getTokenKey(address,uint256)', [tokens.coin, 8n], `(int64,${keyType})`, [22n, [false, 1002n, none, none, 0n]]],
    ['getTokenKey(address,uint256)', [tokens.coin, 16n], `(int64,${keyType})`, [22n, [false, 0n, none, none, 1002n]]],
    ['getTokenKey(address,uint256)', [tokens.coin, 3n], `(int64,${keyType})`, [44n, noKey]],
    ['getTokenKey(address,uint256)', [caller, 1n], `(int64,${keyType})`, [167n, noKey]],
    [
      'getTokenExpiryInfo(address)',
      [tokens.coin],
      '(int64,(int64,address,int64))',
      [22n, [1_707_776_000n, plain.num, 7_776_000n]],
    ],
    [
      'getTokenExpiryInfo(address)',
      [tokens.art],
      '(int64,(int64,address,int64))',
      [22n, [1_658_000_000n, 0n, 8_000_000n]],
    ],
    [
      'getTokenCustomFees(address)',
      [tokens.fees],
      `(int64,${feeTypes})`,
      [
        22n,
        [
          [100n, 0n, true, false, plain.num],
          [7n, tokens.plainCoin, false, false, plain.num],
        ],
        [[20n, 100n, 1n, 1000n, true, plain.num]],
        [],
      ],
    ],
    [
      'getTokenCustomFees(address)',
      [tokens.royal],
      `(int64,${feeTypes})`,
      [
        ...[22n, [], []],
        [
          [1n, 10n, 50n, tokens.plainCoin, false, plain.num],
          [1n, 20n, 0n, 0n, true, plain.num],
        ],
      ],
    ],
    ['getTokenInfo(address)', [tokens.coin], `(int64,${infoType()})`, [22n, coinInfo]],
    ['getTokenInfo(address)', [caller], `(int64,${infoType()})`, [167n, emptyInfo]],
    ['getFungibleTokenInfo(address)', [tokens.coin], `(int64,(${infoType()},int32))`, [22n, [coinInfo, 12n]]],
    ['getFungibleTokenInfo(address)', [nobody], `(int64,(${infoType()},int32))`, [167n, [emptyInfo, 0n]]],
    [
      'getNonFungibleTokenInfo(address,int64)',
      [nobody, 5n],
      `(int64,(${infoType()},int64,address,int64,bytes,address))`,
      [167n, [emptyInfo, 0n, 0n, 0n, none, 0n]],
    ],
    ['allowance(address,address,address)', [tokens.coin, caller, spender.num], '(int64,uint256)', [22n, 33n]],
    ['getApproved(address,uint256)', [tokens.art, 1n], '(int64,address)', [22n, spender.address]],
    ['isApprovedForAll(address,address,address)', [tokens.art, owner.num, spender.num], '(int64,bool)', [22n, true]],
  ];
  it.each(cases)('%s %s', (signature, args, types, values) => {
    const { succeeded, output, result } = askByContract({ to: 0x167n, signature, args });
    expect([succeeded, decodeResult(types, output)]).toEqual([true, values]);
    expect(result.failedChildren.length).toBe(values[0] === 22n ? 0 : 1);
    // The same where nothing may change, but for failures.
    const fixed = askByContract({ to: 0x167n, signature, args, operation: 'STATICCALL' });
    if (values[0] === 22n) expect(text(fixed.output)).toBe(text(output));
    else expect([fixed.succeeded, text(fixed.output)]).toEqual([false, result.failedChildren[0]]);
  });

  it('getNonFungibleTokenInfo', () => {
    const info = (serial: bigint) => {
      const { output } = askByContract({
        to: 0x167n,
        signature: 'getNonFungibleTokenInfo(address,int64)',
        args: [tokens.art, serial],
      });
      const [code, [token, ...nft]] = decodeResult(
        `(int64,(${infoType()},int64,address,int64,bytes,address))`,
        output,
      ) as [bigint, [unknown[][], ...unknown[]]];
      return [code, token[0]![0], ...nft];
    };
    const metadata = new TextEncoder().encode('ipfs://one');
    expect(info(1n)).toEqual([22n, 'Pictures', 1n, caller, 1_660_000_000n, metadata, spender.address]);
    expect(info(9n)).toEqual([225n, 'Pictures', 9n, 0n, 0n, none, 0n]);
  });

  it.each([
    ['allowance(address,address,address)', [caller, caller, caller]],
    ['getApproved(address,uint256)', [caller, 1n]],
    ['isApprovedForAll(address,address,address)', [caller, caller, caller]],
  ])('%s of an unknown token reverts', (signature, args) => {
    const { succeeded, output } = askByContract({ to: 0x167n, signature, args });
    expect([succeeded, text(output)]).toEqual([false, 'INVALID_TOKEN_ID']);
  });

  it('halts for input that it cannot read', () => {
    const halted = (data: Uint8Array) => ask({ signature: 'f()', transaction: { to: 0x167n, data } });
    for (const data of [none, Uint8Array.of(1, 2, 3), encodeCall('isToken(address)', [1n << 120n]).slice(0, 30)]) {
      const { status, gasConsumed } = halted(data);
      expect([status, gasConsumed]).toEqual(['CONTRACT_EXECUTION_EXCEPTION', 1_000_000]);
    }
    const wrong = encodeCall('isToken(address)', [1n]);
    wrong[4] = 1;
    expect(halted(wrong).status).toBe('CONTRACT_EXECUTION_EXCEPTION');
  });

  it('halts for a value, but for what makes a token', () => {
    const pay = (signature: string) =>
      ask({ to: 0x167n, signature, transaction: { to: 0x167n, value: 1n, data: encodeCall(signature) } }).status;
    expect(pay('name()')).toBe('INVALID_CONTRACT_ID');
  });
});

describe('0x16c', () => {
  it('has metadata and the key of it', () => {
    const withMetadata = tokenType.replace(/\)$/, ',bytes)');
    const { output } = askByContract({ to: 0x16cn, signature: 'getTokenInfo(address)', args: [tokens.coin] });
    const [code, info] = decodeResult(`(int64,${infoType(withMetadata)})`, output) as [bigint, unknown[][]];
    const keys = info[0]![7] as unknown[];
    expect([code, keys.length, info[0]!.at(-1)]).toEqual([22n, 8, Uint8Array.of(0xaa, 0xbb)]);
    expect(keys.at(-1)).toEqual([128n, [false, 0n, ed25519Key(0x1a).subarray(2), none, 0n]]);
    const key = (to: bigint) =>
      decodeResult(
        `(int64,${keyType})`,
        askByContract({ to, signature: 'getTokenKey(address,uint256)', args: [tokens.coin, 128n] }).output,
      )[0];
    expect([key(0x16cn), key(0x167n)]).toEqual([22n, 44n]);
  });
});
