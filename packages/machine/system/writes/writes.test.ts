// Writes as a dry run: what they answer, log and cost, and what later questions of the same call see.
import { describe, expect, it } from 'vitest';
import { responseCode } from '../../../protocol/hapi/response-codes.ts';
import { assemble } from '../../../test-support/evm/assemble.ts';
import { decodeResult, encodeCall } from '../../../test-support/evm/signer-abi.ts';
import {
  ask,
  askByContract,
  called,
  caller,
  contractKey,
  delegatableKey,
  ecdsaKey,
  knownTokens,
  nobody,
  ownerFacts,
  people,
  type Question,
  tokens,
  tryAsk,
} from '../../../test-support/evm/token-world.ts';
import type { KnownFact } from '../../state/memory-state.ts';

const { owner, spender, stranger } = people;
const { plainCoin, art, paused, fees } = tokens;
const wordOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
const topic = {
  transfer: 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn,
  approval: 0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925n,
  approvalForAll: 0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31n,
};

/** Code of a contract that makes the calls one after the other and answers success and first word of each. */
function sequence(calls: readonly (readonly [to: bigint, signature: string, args: readonly unknown[]])[]): Uint8Array {
  const parts = calls.map(([to, signature, args], index) => {
    const data = encodeCall(signature, args);
    const words = Math.ceil(data.length / 32);
    const padded = Buffer.concat([data, Buffer.alloc(words * 32 - data.length)]);
    const stores = Array.from({ length: words }, (_, at) => {
      const word = padded.subarray(at * 32, at * 32 + 32).toString('hex');
      return `PUSH 0x${word} PUSH ${4096 + at * 32} MSTORE`;
    }).join(' ');
    const result = index * 64;
    return `${stores} PUSH 32 PUSH ${result + 32} PUSH ${data.length} PUSH 4096 PUSH 0 PUSH ${to} GAS CALL PUSH ${result} MSTORE`;
  });
  return assemble(`${parts.join(' ')} PUSH ${calls.length * 64} PUSH 0 RETURN`);
}

/** Success and first word of each call of the contract, in one transaction. */
function inOneCall(calls: Parameters<typeof sequence>[0], question: Partial<Question> = {}) {
  const result = ask({
    signature: 'run()',
    ...question,
    contract: { code: sequence(calls) },
    transaction: { gasLimit: 10_000_000 },
  });
  const words = Array.from({ length: calls.length }, (_, at) => [
    wordOf(result.output.subarray(at * 64, at * 64 + 32)),
    wordOf(result.output.subarray(at * 64 + 32, at * 64 + 64)),
  ]);
  return { ...result, words };
}

describe('at a token', () => {
  const codes: [what: string, question: Question, status: keyof typeof responseCode][] = [
    [
      'more than the balance',
      { to: plainCoin, signature: 'transfer(address,uint256)', args: [owner.address, 401n] },
      'INSUFFICIENT_TOKEN_BALANCE',
    ],
    [
      'to nobody by number',
      { to: plainCoin, signature: 'transfer(address,uint256)', args: [123_456n, 1n] },
      'INVALID_ACCOUNT_ID',
    ],
    [
      'by a frozen account',
      { to: tokens.coin, signature: 'transfer(address,uint256)', args: [owner.address, 1n] },
      'ACCOUNT_FROZEN_FOR_TOKEN',
    ],
    [
      'of a paused token',
      { to: paused, signature: 'transfer(address,uint256)', args: [owner.address, 1n] },
      'TOKEN_IS_PAUSED',
    ],
    [
      'to an account without room',
      { to: plainCoin, signature: 'transfer(address,uint256)', args: [stranger.address, 1n] },
      'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT',
    ],
    [
      'without allowance',
      { to: plainCoin, signature: 'transferFrom(address,address,uint256)', args: [called, caller, 1n] },
      'SPENDER_DOES_NOT_HAVE_ALLOWANCE',
    ],
    [
      'more than the allowance',
      { to: plainCoin, signature: 'transferFrom(address,address,uint256)', args: [owner.address, caller, 41n] },
      'AMOUNT_EXCEEDS_ALLOWANCE',
    ],
    [
      'an NFT of another',
      { to: art, signature: 'transferFrom(address,address,uint256)', args: [owner.address, caller, 2n] },
      'SPENDER_DOES_NOT_HAVE_ALLOWANCE',
    ],
    [
      'approve nobody',
      { to: plainCoin, signature: 'approve(address,uint256)', args: [nobody, 1n] },
      'INVALID_ALLOWANCE_SPENDER_ID',
    ],
    [
      'approve more than there can be',
      { to: tokens.coin, signature: 'approve(address,uint256)', args: [spender.address, 5001n] },
      'AMOUNT_EXCEEDS_TOKEN_MAX_SUPPLY',
    ],
  ];
  it.each(codes)('%s: reverts with the number of the code', (_, question, status) => {
    const result = ask(question);
    expect([result.status, wordOf(result.output), result.failedChildren, result.logs]).toEqual([
      'CONTRACT_REVERT_EXECUTED',
      BigInt(responseCode[status]),
      [status],
      [],
    ]);
  });

  it('transfers of the sender are answered, logged and cost 15,284 gas', () => {
    for (const version of ['0.66', '0.67']) {
      const { status, output, logs, actions } = ask({
        version,
        to: plainCoin,
        signature: 'transfer(address,uint256)',
        args: [owner.num, 9n],
        withActions: true,
      });
      expect([status, wordOf(output)]).toEqual(['SUCCESS', 1n]);
      expect(logs).toMatchObject([{ address: plainCoin, topics: [topic.transfer, caller, owner.address] }]);
      expect(wordOf(logs[0]!.data)).toBe(9n);
      expect(actions.at(-1)).toMatchObject({ type: 'SYSTEM', gasUsed: 15_284 });
    }
  });

  it('changes are seen by later questions of the same call, and by none after', () => {
    const { words, logs } = inOneCall([
      [plainCoin, 'transfer(address,uint256)', [caller, 20n]],
      [plainCoin, 'balanceOf(address)', [called]],
      [plainCoin, 'balanceOf(address)', [caller]],
      [plainCoin, 'transferFrom(address,address,uint256)', [owner.address, called, 30n]],
      [plainCoin, 'allowance(address,address)', [owner.address, called]],
      [plainCoin, 'transferFrom(address,address,uint256)', [owner.address, called, 30n]],
      [plainCoin, 'balanceOf(address)', [called]],
      [plainCoin, 'approve(address,uint256)', [spender.address, 77n]],
      [plainCoin, 'allowance(address,address)', [called, spender.address]],
    ]);
    expect(words).toEqual([
      ...[
        [1n, 1n],
        [1n, 30n],
        [1n, 420n],
        [1n, 1n],
        [1n, 10n],
      ],
      ...[
        [0n, 293n],
        [1n, 60n],
        [1n, 1n],
        [1n, 77n],
      ],
    ]);
    expect(logs.map(({ topics }) => topics[0])).toEqual([topic.transfer, topic.transfer, topic.approval]);
    expect(wordOf(ask({ to: plainCoin, signature: 'balanceOf(address)', args: [caller] }).output)).toBe(400n);
  });

  it('changes go with the frame that reverts', () => {
    const inner = {
      address: 0x1e4n << 140n,
      num: 1900n,
      // Transfers, and reverts.
      code: assemble(
        `PUSH 0x${Buffer.from(encodeCall('approve(address,uint256)', [spender.address, 5n]))
          .toString('hex')
          .slice(0, 64)} PUSH 0 MSTORE
         PUSH 0x${Buffer.from(encodeCall('approve(address,uint256)', [spender.address, 5n]))
           .toString('hex')
           .slice(64)
           .padEnd(64, '0')} PUSH 32 MSTORE
         PUSH 0 PUSH 0 PUSH 68 PUSH 0 PUSH 0 PUSH ${plainCoin} GAS CALL PUSH 0 MSTORE PUSH 32 PUSH 0 REVERT`,
      ),
    };
    const relation: KnownFact = [
      { kind: 'relation', token: plainCoin, account: inner.num },
      { balance: 5n, freezeStatus: 0, kycStatus: 0, isAutomatic: false },
    ];
    const { words, logs } = inOneCall(
      [
        [inner.address, 'run()', []],
        [plainCoin, 'allowance(address,address)', [inner.address, spender.address]],
      ],
      { accounts: [inner], more: [relation] },
    );
    expect(words).toEqual([
      [0n, 1n],
      [1n, 0n],
    ]);
    expect(logs).toEqual([]);
  });

  it('NFTs change their owner and lose their spender; nothing is answered, the serial is a topic', () => {
    const { words, logs } = inOneCall([
      [art, 'transferFrom(address,address,uint256)', [owner.address, called, 3n]],
      [art, 'ownerOf(uint256)', [3n]],
      [art, 'getApproved(uint256)', [3n]],
      [art, 'balanceOf(address)', [called]],
      [art, 'approve(address,uint256)', [stranger.address, 3n]],
      [art, 'getApproved(uint256)', [3n]],
      [art, 'setApprovalForAll(address,bool)', [stranger.address, true]],
      [art, 'isApprovedForAll(address,address)', [called, stranger.address]],
    ]);
    expect(words.map(([succeeded]) => succeeded)).toEqual(Array(8).fill(1n));
    expect([1, 2, 3, 5, 7].map((at) => words[at]![1])).toEqual([called, 0n, 1n, stranger.address, 1n]);
    expect(logs.map(({ address, topics }) => [address, ...topics])).toEqual([
      [art, topic.transfer, owner.address, called, 3n],
      [art, topic.approval, called, stranger.address, 3n],
      [art, topic.approvalForAll, called, stranger.address],
    ]);
  });

  it('an NFT is approved at 0x167, too', () => {
    const approve = (spender: bigint) => [0x167n, 'approveNFT(address,address,uint256)', [art, spender, 3n]] as const;
    const { words } = inOneCall([
      [art, 'transferFrom(address,address,uint256)', [owner.address, called, 3n]],
      [...approve(stranger.address)],
      [art, 'getApproved(uint256)', [3n]],
    ]);
    expect(words.map(([, word]) => word).slice(1)).toEqual([22n, stranger.address]);
  });

  it('associations answer their code and do not revert', () => {
    const code = (signature: string, to: bigint) => wordOf(ask({ to, signature }).output);
    expect([code('associate()', plainCoin), code('associate()', tokens.royal)]).toEqual([194n, 22n]);
    expect([code('dissociate()', plainCoin), code('dissociate()', tokens.royal)]).toEqual([195n, 184n]);
    const { words } = inOneCall([
      [tokens.royal, 'associate()', []],
      [tokens.royal, 'isAssociated()', []],
      [tokens.royal, 'dissociate()', []],
      [tokens.royal, 'isAssociated()', []],
    ]);
    expect(words.map(([, answer]) => answer)).toEqual([22n, 1n, 22n, 0n]);
  });

  it('receivers with room are associated', () => {
    const room: KnownFact = [{ kind: 'owner', account: stranger.num }, ownerFacts({ maxAutomaticAssociations: 1 })];
    const moves: Parameters<typeof sequence>[0] = [
      [plainCoin, 'transfer(address,uint256)', [stranger.address, 3n]],
      [plainCoin, 'balanceOf(address)', [stranger.address]],
    ];
    // A token with a key for KYC would refuse who has none.
    const { keys } = knownTokens.plainCoin;
    const token: KnownFact = [
      { kind: 'token', token: plainCoin },
      { ...knownTokens.plainCoin, keys: { ...keys, kyc: null } },
    ];
    expect(inOneCall(moves, { more: [room] }).words[0]).toEqual([0n, 176n]);
    expect(inOneCall(moves, { more: [room, token] }).words).toEqual([
      [1n, 1n],
      [1n, 3n],
    ]);
    const full: KnownFact = [room[0], ownerFacts({ maxAutomaticAssociations: 1, usedAutomaticAssociations: 1 })];
    expect(inOneCall(moves, { more: [full, token] }).words).toEqual([
      [0n, BigInt(responseCode.NO_REMAINING_AUTOMATIC_ASSOCIATIONS)],
      [1n, 0n],
    ]);
  });

  it('halts in a static frame', () => {
    const { succeeded, output } = askByContract({
      to: plainCoin,
      signature: 'transfer(address,uint256)',
      args: [owner.address, 1n],
      operation: 'STATICCALL',
    });
    expect([succeeded, output.length]).toEqual([false, 0]);
  });
});

const cryptoTransfer =
  'cryptoTransfer(((address,int64,bool)[]),(address,(address,int64,bool)[],(address,address,int64,bool)[])[])';

describe('0x167', () => {
  const codes: [signature: string, args: unknown[], code: bigint][] = [
    ['transferToken(address,address,address,int64)', [plainCoin, called, caller, 5n], 22n],
    ['transferToken(address,address,address,int64)', [plainCoin, called, caller, 51n], 178n],
    ['transferToken(address,address,address,int64)', [plainCoin, owner.address, caller, 40n], 22n],
    ['transferToken(address,address,address,int64)', [plainCoin, owner.address, caller, 41n], 293n],
    ['transferToken(address,address,address,int64)', [plainCoin, caller, called, 1n], 292n],
    ['transferToken(address,address,address,int64)', [nobody, called, caller, 5n], 167n],
    ['transferNFT(address,address,address,int64)', [art, owner.address, called, 3n], 22n],
    ['transferNFT(address,address,address,int64)', [art, owner.address, called, 2n], 292n],
    ['transferTokens(address,address[],int64[])', [plainCoin, [called, caller, owner.num], [-9n, 4n, 5n]], 22n],
    [
      'cryptoTransfer((address,(address,int64)[],(address,address,int64)[])[])',
      [
        [
          [
            plainCoin,
            [
              [called, -9n],
              [caller, 9n],
            ],
            [],
          ],
          [art, [], [[owner.num, called, 3n]]],
        ],
      ],
      22n,
    ],
    [
      'cryptoTransfer(((address,int64,bool)[]),(address,(address,int64,bool)[],(address,address,int64,bool)[])[])',
      [
        [[]],
        [
          [
            plainCoin,
            [
              [owner.num, -40n, true],
              [caller, 40n, false],
            ],
            [],
          ],
        ],
      ],
      22n,
    ],
    [cryptoTransfer, [[[]], [[art, [], [[owner.num, caller, 2n, false]]]]], 292n],
    ['transferTokens(address,address[],int64[])', [plainCoin, [owner.num, caller, called], [-40n, 20n, 20n]], 22n],
    ['transferTokens(address,address[],int64[])', [plainCoin, [owner.num, caller, called], [-41n, 40n, 1n]], 293n],
    ['transferNFTs(address,address[],address[],int64[])', [art, [owner.num], [called], [3n]], 22n],
    ['transferFrom(address,address,address,uint256)', [plainCoin, owner.address, called, 40n], 22n],
    ['transferFromNFT(address,address,address,uint256)', [art, owner.address, called, 3n], 22n],
    ['approve(address,address,uint256)', [plainCoin, spender.address, 1n], 22n],
    ['approve(address,address,uint256)', [nobody, spender.address, 1n], 167n],
    ['associateToken(address,address)', [called, tokens.royal], 22n],
    ['associateToken(address,address)', [called, plainCoin], 194n],
    ['associateToken(address,address)', [caller, tokens.royal], 326n],
    ['associateTokens(address,address[])', [called, [tokens.royal, tokens.coin]], 22n],
    ['associateTokens(address,address[])', [called, [tokens.royal, plainCoin]], 194n],
    ['dissociateToken(address,address)', [called, plainCoin], 195n],
    ['dissociateTokens(address,address[])', [called, [art]], 22n],
    ['freezeToken(address,address)', [plainCoin, caller], 22n],
    ['freezeToken(address,address)', [plainCoin, stranger.address], 184n],
    ['freezeToken(address,address)', [art, caller], 172n],
    ['freezeToken(address,address)', [tokens.coin, caller], 326n],
    ['unfreezeToken(address,address)', [plainCoin, caller], 22n],
    ['grantTokenKyc(address,address)', [plainCoin, caller], 22n],
    ['revokeTokenKyc(address,address)', [plainCoin, caller], 22n],
    ['pauseToken(address)', [plainCoin], 22n],
    ['unpauseToken(address)', [paused], 22n],
    ['wipeTokenAccount(address,address,int64)', [plainCoin, caller, 400n], 22n],
    ['wipeTokenAccount(address,address,int64)', [plainCoin, caller, 401n], 192n],
    ['wipeTokenAccount(address,address,int64)', [plainCoin, owner.address, 1n], 185n],
    ['wipeTokenAccountNFT(address,address,int64[])', [art, caller, [1n]], 22n],
    ['wipeTokenAccountNFT(address,address,int64[])', [art, caller, [2n]], 253n],
  ];
  it.each(codes)('%s %s: %s', (signature, args, code) => {
    const { succeeded, output, result } = askByContract({ to: 0x167n, signature, args });
    expect([succeeded, wordOf(output), result.failedChildren.length]).toEqual([true, code, code === 22n ? 0 : 1]);
  });

  const withSupply: [signature: string, args: unknown[], types: string, values: unknown[]][] = [
    ['mintToken(address,int64,bytes[])', [plainCoin, 7n, []], '(int64,int64,int64[])', [22n, 1007n, []]],
    [
      'mintToken(address,int64,bytes[])',
      [art, 0n, [Uint8Array.of(1), Uint8Array.of(2)]],
      '(int64,int64,int64[])',
      [22n, 5n, [8n, 9n]],
    ],
    ['mintToken(address,int64,bytes[])', [paused, 7n, []], '(int64,int64,int64[])', [265n, 0n, []]],
    ['mintToken(address,int64,bytes[])', [fees, 7n, []], '(int64,int64,int64[])', [180n, 0n, []]],
    ['mintToken(address,int64,bytes[])', [tokens.coin, 4001n, []], '(int64,int64,int64[])', [236n, 0n, []]],
    ['burnToken(address,int64,int64[])', [plainCoin, 50n, []], '(int64,int64)', [22n, 950n]],
    ['burnToken(address,int64,int64[])', [plainCoin, 551n, []], '(int64,int64)', [183n, 0n]],
    ['burnToken(address,int64,int64[])', [art, 0n, [2n]], '(int64,int64)', [22n, 2n]],
    ['burnToken(address,int64,int64[])', [art, 0n, [1n]], '(int64,int64)', [252n, 0n]],
  ];
  it.each(withSupply)('%s %s', (signature, args, types, values) => {
    const more: KnownFact[] = [[{ kind: 'lastSerial', token: art }, 7n]];
    const { output } = askByContract({ to: 0x167n, signature, args, more });
    expect(decodeResult(types, output)).toEqual(values);
  });

  it('logs transfers only of the forms of ERC, and prices each', () => {
    const used = (signature: string, args: unknown[]) => {
      const { result } = askByContract({ to: 0x167n, signature, args, withActions: true });
      return [result.logs.length, result.actions.at(-1)!.gasUsed];
    };
    expect(used('transferToken(address,address,address,int64)', [plainCoin, called, caller, 5n])).toEqual([0, 15_284]);
    expect(used('transferFrom(address,address,address,uint256)', [plainCoin, owner.num, called, 5n])).toEqual([
      1, 15_284,
    ]);
    // Each balance beyond two is half a transfer.
    expect(
      used('transferTokens(address,address[],int64[])', [plainCoin, [called, caller, owner.num], [-9n, 4n, 5n]]),
    ).toEqual([0, Number(gasOf(15_000_000n))]);
    expect(used('associateToken(address,address)', [called, tokens.royal])).toEqual([0, Number(gasOf(500_000_000n))]);
    expect(used('pauseToken(address)', [plainCoin])).toEqual([0, 15_284]);
    expect(used('mintToken(address,int64,bytes[])', [art, 0n, [Uint8Array.of(1)]])).toEqual([
      0,
      Number(gasOf(200_000_000n)),
    ]);
  });

  it('is changed by keys that are the contract, or the sender', () => {
    const freeze = (key: Uint8Array, byContract: boolean) => {
      const token: KnownFact = [
        { kind: 'token', token: plainCoin },
        { ...knownTokens.plainCoin, keys: { ...knownTokens.plainCoin.keys, freeze: key } },
      ];
      const question = {
        to: 0x167n,
        signature: 'freezeToken(address,address)',
        args: [plainCoin, caller],
        more: [token],
      };
      return Number(wordOf(byContract ? askByContract(question).output : ask(question).output));
    };
    const list = (...keys: Uint8Array[]) =>
      Buffer.concat([Uint8Array.of(0x32), lengthOf(keyListOf(keys)), keyListOf(keys)]);
    const keyListOf = (keys: Uint8Array[]) =>
      Buffer.concat(keys.flatMap((key) => [Uint8Array.of(0x0a), lengthOf(key), key]));
    const lengthOf = (bytes: Uint8Array) => Uint8Array.of(bytes.length);
    const threshold = (needed: number, ...keys: Uint8Array[]) => {
      const inner = Buffer.concat([Uint8Array.of(8, needed, 0x12), lengthOf(keyListOf(keys)), keyListOf(keys)]);
      return Buffer.concat([Uint8Array.of(0x2a), lengthOf(inner), inner]);
    };
    const own = ecdsaKey(1);
    const cases: [key: Uint8Array, byContract: number, bySender: number][] = [
      [contractKey(1002), 22, 326],
      [delegatableKey(1002), 22, 326],
      [contractKey(1003), 326, 326],
      [own, 326, 22],
      [ecdsaKey(2), 326, 326],
      [list(own, contractKey(1002)), 326, 326],
      [list(contractKey(1002), delegatableKey(1002)), 22, 326],
      [threshold(1, own, contractKey(1002)), 22, 22],
      [threshold(2, own, contractKey(1002)), 326, 326],
      [Uint8Array.of(0xff), 326, 326],
    ];
    expect(cases.map(([key]) => [freeze(key, true), freeze(key, false)])).toEqual(cases.map(([, ...codes]) => codes));
  });

  it('sees what it has changed', () => {
    const { words } = inOneCall([
      [0x167n, 'freezeToken(address,address)', [plainCoin, caller]],
      [plainCoin, 'transfer(address,uint256)', [caller, 1n]],
      [0x167n, 'unfreezeToken(address,address)', [plainCoin, caller]],
      [0x167n, 'pauseToken(address)', [plainCoin]],
      [plainCoin, 'transfer(address,uint256)', [caller, 1n]],
      [0x167n, 'unpauseToken(address)', [plainCoin]],
      [0x167n, 'mintToken(address,int64,bytes[])', [plainCoin, 9n, []]],
      [plainCoin, 'totalSupply()', []],
      [plainCoin, 'balanceOf(address)', [owner.address]],
      [0x167n, 'revokeTokenKyc(address,address)', [plainCoin, caller]],
      [plainCoin, 'transfer(address,uint256)', [caller, 1n]],
    ]);
    expect(words.map(([, answer]) => answer)).toEqual([
      ...[22n, 165n, 22n, 22n, 265n, 22n, 22n, 1009n, 559n, 22n],
      176n,
    ]);
  });

  it('moves hbar, of the contract or by an allowance, with tokens or without', () => {
    const hbar = (...adjustments: [bigint, bigint, boolean?][]) => [
      adjustments.map(([account, amount, isApproval = false]) => [account, amount, isApproval]),
    ];
    const move = (list: unknown, transfers: unknown[] = []) => {
      const { output, result } = askByContract({
        to: 0x167n,
        signature: cryptoTransfer,
        args: [list, transfers],
        contract: { balance: 10n },
        more: [[{ kind: 'hbarAllowance', owner: owner.num, spender: 1002n }, 7n]],
        withActions: true,
      });
      const changed = result.changes.flatMap(({ num, balance }) => (balance === undefined ? [] : [[num, balance]]));
      return [wordOf(output), changed, result.actions.at(-1)!.gasUsed];
    };
    const gas = (tinycents: bigint) => Number(gasOf(tinycents));
    expect(move(hbar([called, -9n], [owner.num, 9n]))).toEqual([
      22n,
      [
        [1002n, 1n],
        [owner.num, 2009n],
      ],
      gas(1_000_000n),
    ]);
    expect(move(hbar([called, -11n], [owner.num, 11n]))).toEqual([28n, [], gas(1_000_000n)]);
    expect(move(hbar([owner.num, -7n], [called, 7n]))[0]).toBe(22n);
    expect(move(hbar([owner.num, -8n, true], [called, 8n]))[0]).toBe(293n);
    expect(move(hbar([spender.num, -1n], [called, 1n]))[0]).toBe(292n);
    expect(move(hbar([called, -1n], [999_999n, 1n]))[0]).toBe(15n);
    const coins = [
      [
        plainCoin,
        [
          [called, -51n, false],
          [caller, 51n, false],
        ],
        [],
      ],
    ];
    // All or nothing.
    expect(move(hbar([called, -9n], [owner.num, 9n]), coins)).toEqual([178n, [], gas(11_000_000n)]);
  });

  it('takes back what a list did before it failed', () => {
    const { words } = inOneCall([
      [0x167n, 'associateTokens(address,address[])', [called, [tokens.royal, plainCoin]]],
      [tokens.royal, 'isAssociated()', []],
    ]);
    expect(words.map(([, answer]) => answer)).toEqual([194n, 0n]);
  });
});

const gasOf = (tinycents: bigint) => {
  const gas = ((tinycents + 851_999n) * 1000n) / 852_000n;
  return gas + gas / 5n;
};

describe('what does not follow from what is stored', () => {
  const creation = {
    signature:
      'createNonFungibleToken((string,string,address,string,bool,int64,bool,(uint256,(bool,address,bytes,bytes,address))[],(int64,address,int64)))',
    args: [['Name', 'SYM', caller, '', false, 0n, false, [], [0n, caller, 7_000_000n]]],
  };
  const cases: [what: string, question: Question][] = [
    ['custom fees', { to: fees, signature: 'transfer(address,uint256)', args: [owner.address, 1n] }],
    ['an account to be made', { to: plainCoin, signature: 'transfer(address,uint256)', args: [nobody, 1n] }],
    ['to itself', { to: plainCoin, signature: 'transfer(address,uint256)', args: [caller, 1n] }],
    ['an allowance for itself', { to: plainCoin, signature: 'approve(address,uint256)', args: [caller, 1n] }],
    [
      'an NFT of another at 0x167',
      { to: 0x167n, signature: 'approveNFT(address,address,uint256)', args: [art, spender.address, 2n] },
    ],
    ['an NFT of another', { to: art, signature: 'approve(address,uint256)', args: [spender.address, 2n] }],
    ['an airdrop', { to: plainCoin, signature: 'claimAirdropFT(address)', args: [owner.address] }],
    ['a token to be made, which may be paid', { to: 0x167n, ...creation, transaction: { value: 1n } }],
    ['a deletion', { to: 0x167n, signature: 'deleteToken(address)', args: [plainCoin] }],
    ['nothing at all', { to: 0x167n, signature: cryptoTransfer, args: [[[]], []] }],
    [
      'several givers',
      {
        to: 0x167n,
        signature: cryptoTransfer,
        args: [
          [
            [
              [caller, -1n, false],
              [owner.num, -1n, false],
              [called, 2n, false],
            ],
          ],
          [],
        ],
      },
    ],
    ['a schedule', { to: 0x16bn, signature: 'authorizeSchedule(address)', args: [5n] }],
    ['capacity', { to: 0x16bn, signature: 'hasScheduleCapacity(uint256,uint256)', args: [5n, 5n] }],
  ];
  it.each(cases)('%s: says what was asked, and by whom', (_, question) => {
    expect(tryAsk(question)).toEqual({ kind: 'notSupported', called: question.signature, asker: caller });
  });

  it('is no answer of a contract that goes on', () => {
    const code = sequence([[0x167n, 'deleteToken(address)', [plainCoin]]]);
    const question: Question = { signature: 'run()', contract: { code } };
    expect(tryAsk(question)).toEqual({ kind: 'notSupported', called: 'deleteToken(address)', asker: called });
  });
});

describe('a contract that runs the code of another', () => {
  /** Success and first word of each call that the library makes for the contract. */
  function byLibrary(calls: Parameters<typeof sequence>[0], more: Partial<Question> = {}) {
    const library = { address: 0x11bn << 140n, num: 1900n, code: sequence(calls) };
    const size = calls.length * 64;
    const code = assemble(
      `PUSH ${size} PUSH 0 PUSH 0 PUSH 0 PUSH ${library.address} GAS DELEGATECALL POP PUSH ${size} PUSH 0 RETURN`,
    );
    const { output } = ask({ signature: 'run()', contract: { code }, accounts: [library], ...more });
    return calls.map((_, at) => wordOf(output.subarray(at * 64 + 32, at * 64 + 64)));
  }

  it('moves and approves its own tokens, at their addresses and at 0x167', () => {
    for (const version of ['0.66', '0.67']) {
      const answers = byLibrary(
        [
          [plainCoin, 'transfer(address,uint256)', [caller, 1n]],
          [plainCoin, 'approve(address,uint256)', [owner.address, 2n]],
          [0x167n, 'transferToken(address,address,address,int64)', [plainCoin, called, caller, 3n]],
          [plainCoin, 'balanceOf(address)', [called]],
          [plainCoin, 'allowance(address,address)', [called, owner.address]],
        ],
        { version, transaction: { gasLimit: 5_000_000 } },
      );
      expect(answers).toEqual([1n, 1n, 22n, 46n, 2n]);
    }
  });

  it('has signed for keys that are its delegatable id, and for no other', () => {
    const mint: Parameters<typeof sequence>[0] = [[0x167n, 'mintToken(address,int64,bytes[])', [plainCoin, 1n, []]]];
    const withKey = (supply: Uint8Array): KnownFact[] => [
      [
        { kind: 'token', token: plainCoin },
        { ...knownTokens.plainCoin, keys: { ...knownTokens.plainCoin.keys, supply } },
      ],
      [
        { kind: 'relation', token: plainCoin, account: knownTokens.plainCoin.treasury },
        { balance: 1n, freezeStatus: 0, kycStatus: 0, isAutomatic: false },
      ],
    ];
    expect(byLibrary(mint, { more: withKey(delegatableKey(1002)) })).toEqual([22n]);
    expect(byLibrary(mint, { more: withKey(contractKey(1002)) })).toEqual([
      BigInt(responseCode.INVALID_FULL_PREFIX_SIGNATURE_FOR_PRECOMPILE),
    ]);
  });
});

it('gives relations that nobody has changed the statuses of the token', () => {
  const known = (freezeStatus: 0 | 1 | 2, kycStatus: 0 | 1 | 2): KnownFact[] => [
    [
      { kind: 'token', token: plainCoin },
      { ...knownTokens.plainCoin, freezeStatus, kycStatus },
    ],
    [
      { kind: 'relation', token: plainCoin, account: 1002n },
      { balance: 5n, freezeStatus: null, kycStatus: null, isAutomatic: false },
    ],
  ];
  const transfer: Parameters<typeof inOneCall>[0] = [[plainCoin, 'transfer(address,uint256)', [caller, 1n]]];
  const code = (more: KnownFact[]) => inOneCall(transfer, { more }).words[0]![1];
  expect(code(known(2, 1))).toBe(1n);
  expect(code(known(1, 1))).toBe(BigInt(responseCode.ACCOUNT_FROZEN_FOR_TOKEN));
  expect(code(known(2, 2))).toBe(BigInt(responseCode.ACCOUNT_KYC_NOT_GRANTED_FOR_TOKEN));
});
