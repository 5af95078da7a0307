// Every function that the published interfaces of the ledger's own contracts have is answered, changed as a dry run, or
// said to be neither: by the machine as docs/reference/system-contracts.md lists it.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { selectorOf } from '../../packages/abi/selector.ts';
import { systemContracts } from '../../packages/machine/system/system-contracts.ts';
import { ask, askByContract, people, tokens, tryAsk } from '../../packages/test-support/evm/token-world.ts';

type Kind = 'answers' | 'changes' | 'unsupported';
type Functions = Record<string, string>;

/** Selectors by name: of all signatures that one name has had. */
const interfaces: Record<string, Record<Kind, Functions>> = {
  '0x167': {
    answers: {
      isToken: '19f37361',
      isFrozen: '46de0fb1',
      isKyc: 'f2c31ff4',
      getTokenDefaultFreezeStatus: 'a7daa18d',
      getTokenDefaultKycStatus: '335e04c1',
      getTokenType: '93272baf',
      getTokenKey: '3c4dd32e',
      getTokenExpiryInfo: 'd614cdb8',
      getTokenCustomFees: 'ae7611a0',
      getTokenInfo: '1f69565f',
      getFungibleTokenInfo: '3f28a19b',
      getNonFungibleTokenInfo: '287e1da8',
      allowance: '927da105',
      getApproved: '098f2366',
      isApprovedForAll: 'f49f40db',
    },
    changes: {
      transferToken: 'eca36917',
      transferTokens: '82bba493',
      transferNFT: '5cfc9011',
      transferNFTs: '2c4ba191',
      transferFrom: '15dacbea',
      transferFromNFT: '9b23d3d9',
      cryptoTransfer: '0e71804f 189a554c',
      approve: 'e1f21c67',
      approveNFT: '7336aaf0',
      setApprovalForAll: '367605ca',
      associateToken: '49146bde',
      associateTokens: '2e63879b',
      dissociateToken: '099794e8',
      dissociateTokens: '78b63918',
      mintToken: 'e0f4059a 278e0b88',
      burnToken: 'd6910d06 acb9cff9',
      wipeTokenAccount: 'efef57f9 9790686d',
      wipeTokenAccountNFT: 'f7f38e26',
      freezeToken: '5b8f8584',
      unfreezeToken: '52f91387',
      grantTokenKyc: '8f8d7f99',
      revokeTokenKyc: 'af99c633',
      pauseToken: '7c41ad2c',
      unpauseToken: '3b3bff0f',
    },
    unsupported: {
      createFungibleToken: '0fb65bf3 7812a04b c23baeb6',
      createFungibleTokenWithCustomFees: '2af0c59a 4c381ae7 b937581a',
      createNonFungibleToken: 'ea83f293 9dc711e0 9c89bb35',
      createNonFungibleTokenWithCustomFees: 'abb54eb5 5bc7c0e6 45733969',
      updateTokenInfo: '7d305cfa 2cccc36f 18370d34',
      updateTokenExpiryInfo: 'd27be6cd 593d6e82',
      updateTokenKeys: '6fc3cbaf',
      updateFungibleTokenCustomFees: 'd5f60c47',
      updateNonFungibleTokenCustomFees: '30727a29',
      deleteToken: 'f069f712',
      airdropTokens: '2f348119',
      cancelAirdrops: '012ebcaf',
      claimAirdrops: '05961641',
      rejectTokens: 'ebd595e0',
    },
  },
  'a token': {
    answers: {
      name: '06fdde03',
      symbol: '95d89b41',
      decimals: '313ce567',
      totalSupply: '18160ddd',
      balanceOf: '70a08231',
      allowance: 'dd62ed3e',
      ownerOf: '6352211e',
      getApproved: '081812fc',
      isApprovedForAll: 'e985e9c5',
      tokenURI: 'c87b56dd',
      isAssociated: '4d8fdd6d',
    },
    changes: {
      transfer: 'a9059cbb',
      transferFrom: '23b872dd',
      approve: '095ea7b3',
      setApprovalForAll: 'a22cb465',
      associate: '0a754de6',
      dissociate: '5c9217e0',
    },
    unsupported: {
      cancelAirdropFT: 'cef5b705',
      cancelAirdropNFT: 'ad4917cf',
      claimAirdropFT: 'a83bc5b2',
      claimAirdropNFT: '63ada5d7',
      rejectTokenFT: '76c6b391',
      rejectTokenNFTs: 'a869c78a',
    },
  },
  '0x168': {
    answers: { tinycentsToTinybars: '2e3cff6a', tinybarsToTinycents: '43a88229' },
    changes: {},
    unsupported: {},
  },
  '0x169': { answers: { getPseudorandomSeed: 'd83bf9a1' }, changes: {}, unsupported: {} },
  '0x16a': {
    answers: {
      getEvmAddressAlias: 'dea3d081',
      getHederaAccountNumAlias: 'bbf12d2e',
      isValidAlias: '308ef301',
      hbarAllowance: 'fec46666',
      isAuthorizedRaw: 'b2a31da4',
      isAuthorized: 'b2526367',
    },
    changes: { hbarApprove: 'a0918464' },
    unsupported: {},
  },
  'an account': {
    answers: { hbarAllowance: 'bbee989e' },
    changes: { hbarApprove: '86aff07c' },
    unsupported: { setUnlimitedAutomaticAssociations: 'f5677e99' },
  },
  '0x16b': {
    answers: {
      getScheduledCreateFungibleTokenInfo: 'da2d5f8f',
      getScheduledCreateNonFungibleTokenInfo: 'd68c902c',
    },
    changes: {},
    unsupported: {
      hasScheduleCapacity: 'dfb4a999',
      authorizeSchedule: 'f0637961',
      signSchedule: '358eeb03',
      scheduleNative: 'ca829811',
      scheduleCall: '6f5bfde8',
      scheduleCallWithPayer: 'e6599c18',
      executeCallOnPayerSignature: '105772b2',
      deleteSchedule: '72d42394',
    },
  },
  'a schedule': { answers: {}, changes: {}, unsupported: { signSchedule: '06d15889', deleteSchedule: 'c61dea85' } },
};
const v1 = interfaces['0x167']!;
/** With metadata in the structs, which changes the selectors; without the older forms. */
interfaces['0x16c'] = {
  answers: v1.answers,
  changes: Object.fromEntries(Object.entries(v1.changes).map(([name, list]) => [name, list.slice(0, 8)])),
  unsupported: {
    ...v1.unsupported,
    createFungibleToken: '7cb8323a',
    createFungibleTokenWithCustomFees: '5ac3e67a',
    createNonFungibleToken: 'ad7f8f0b',
    createNonFungibleTokenWithCustomFees: 'c5bc16bc',
    updateTokenInfo: '54c832a5',
    updateTokenExpiryInfo: 'd27be6cd',
    updateNFTsMetadata: '0fcaca1f',
  },
};

const halting = new Set(['0x168', '0x169']);

const schedule = { address: 1601n, kind: 'schedule' } as const;
const places: Record<string, bigint> = {
  ...{ 'a token': tokens.coin, 'an account': people.owner.address, 'a schedule': schedule.address },
};

/** Zeros are arguments of every function: nobody, nothing, empty lists. */
const question = (where: string, selector: string) => ({
  to: places[where] ?? BigInt(where),
  signature: 'f()',
  accounts: [schedule],
  transaction: {
    gasLimit: 1_000_000,
    to: places[where] ?? BigInt(where),
    data: Buffer.from(selector.padEnd(selector === '2e3cff6a' || selector === '43a88229' ? 72 : 4104, '0'), 'hex'),
  },
});

describe.each(Object.entries(interfaces))('%s', (where, kinds) => {
  const all = (Object.entries(kinds) as [Kind, Functions][]).flatMap(([kind, functions]) =>
    Object.entries(functions).flatMap(([name, list]) => list.split(' ').map((selector) => ({ kind, name, selector }))),
  );

  it.each(all)('$kind $name ($selector)', ({ kind, name, selector }) => {
    const run = tryAsk(question(where, selector));
    if (kind === 'unsupported') {
      expect(run).toMatchObject({ kind: 'notSupported', called: expect.stringMatching(`^${name}\\(`) });
      return;
    }
    // Some changes do not follow for nobody and nothing.
    if (kind === 'answers') expect(run.kind).toBe('finished');
    const { data, ...transaction } = question(where, selector).transaction;
    const { result, output } = askByContract({
      ...question(where, selector),
      operation: 'STATICCALL',
      transaction: { ...transaction, gasLimit: 1_000_000, data },
    });
    // A function that changes something halts in a static frame; another answers, or says why not.
    const isHalted = output.length === 0 && result.gasConsumed > 900_000;
    expect(isHalted).toBe(kind === 'changes' || haltsForZeros.has(name));
  });

  it('does not know others', () => {
    const { status, output, gasConsumed } = ask(question(where, 'abcdef01'));
    expect(output).toHaveLength(0);
    expect(status).toBe(halting.has(where) ? 'CONTRACT_EXECUTION_EXCEPTION' : 'SUCCESS');
    // Calls to an account that has no such function end at once.
    if (where !== 'an account') expect(gasConsumed).toBe(1_000_000);
  });
});

/** Of the other kind of token. */
const haltsForZeros = new Set(['ownerOf', 'tokenURI']);

/** What answers at the addresses of tokens, accounts and schedules belongs to these. */
const facades: Record<string, string> = {
  ...{ '0x167': 'a token', '0x16c': 'a token', '0x16a': 'an account', '0x16b': 'a schedule' },
};

/** The network knows functions by selector alone, so that older forms are answered at 0x16c, too. */
const olderForms = ['278e0b88', 'acb9cff9', '9790686d', '189a554c', '593d6e82'];

it('has no function that is not named above, and so on the page', () => {
  const unnamed = [...systemContracts].flatMap(([address, { signatures }]) => {
    const where = `0x${address.toString(16)}`;
    const named = [interfaces[where], interfaces[facades[where] ?? '']].flatMap((kinds) =>
      Object.values(kinds ?? {}).flatMap((functions) => Object.values(functions).flatMap((list) => list.split(' '))),
    );
    if (where === '0x16c') named.push(...olderForms);
    return signatures
      .filter((signature) => !/^redirectFor/.test(signature))
      .map((signature) => `${where} ${selectorOf(signature).toString(16).padStart(8, '0')} ${signature}`)
      .filter((line) => !named.includes(line.split(' ')[1]!));
  });
  expect(unnamed).toEqual([]);
});

/** Names of functions that answer or change something, which no test beside the machine asks by its signature. */
function findUntested(tests: string): string[] {
  const named = Object.values(interfaces).flatMap(({ answers, changes }) => Object.keys({ ...answers, ...changes }));
  return [...new Set(named)].filter((name) => !new RegExp(`\\b${name}\\(`).test(tests));
}

it('has a test beside the machine for each function that is not unsupported', () => {
  const root = new URL('../../', import.meta.url);
  const tests = globSync('packages/machine/**/*.test.ts', { cwd: fileURLToPath(root) })
    .map((path) => readFileSync(new URL(path.replaceAll('\\', '/'), root), 'utf8'))
    .join('\n');
  expect(findUntested(tests)).toEqual([]);
  expect(findUntested(tests.replaceAll('isKyc(', ''))).toEqual(['isKyc']);
});

it('is what the page says', () => {
  const page = readFileSync(new URL('../../docs/reference/system-contracts.md', import.meta.url), 'utf8');
  const headings: Record<Kind, string> = {
    answers: 'What answers',
    changes: 'What is changed as a dry run',
    unsupported: 'What is not simulated',
  };
  for (const [kind, heading] of Object.entries(headings) as [Kind, string][]) {
    const section = page.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
    const rows = section.split('\n').filter((line) => line.startsWith('|') && !/^\|(---| where )/.test(line));
    const listed: Record<string, Set<string>> = {};
    let where = '';
    for (const row of rows) {
      const [, first, functions] = row.split('|').map((cell) => cell.trim());
      where = first || where;
      for (const place of where.split(', ')) {
        const names = [...functions!.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
        listed[place] = new Set([...(listed[place] ?? []), ...names]);
      }
    }
    for (const [place, kinds] of Object.entries(interfaces)) {
      expect([heading, place, [...(listed[place] ?? [])].sort()]).toEqual([
        heading,
        place,
        Object.keys(kinds[kind]).sort(),
      ]);
    }
  }
});
