// What the machine is told of the past, against what the network itself had at the end of each block: balances, nonces,
// supplies, relations, owners.
import { expect, it } from 'vitest';
import type { FactKey, NftFacts, RelationFacts, TokenFacts } from '../../packages/machine/state/ledger-facts.ts';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import type { LedgerTables } from '../../packages/simulated-network/ledger/ledger.ts';
import { selectStateBlock } from '../../packages/store/read/state/select-state-block.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { createBalanceSnapshots } from '../../src/calls/facts/balance-snapshots.ts';
import { createCodeCache } from '../../src/calls/facts/code-cache.ts';
import { createFactSource, type FactSource } from '../../src/calls/facts/fetch-facts.ts';
import { pastAt } from '../../src/calls/facts/moment.ts';
import { createSystemFiles } from '../../src/calls/facts/system-files.ts';

type Truth = { end: bigint } & Pick<LedgerTables, 'accounts' | 'tokens' | 'relations' | 'nfts'>;

it('is what it was', { timeout: 240_000 }, async () => {
  const truths: Truth[] = [];
  const stream = await writeSimulatedStream({
    ...{ seed: 'past state', blocks: 28, transactionsPerBlock: 45 },
    // Across several snapshots of balances.
    blockTime: 200_000_000_000n,
    // Rows are replaced, never changed.
    onBlock: (end, { accounts, tokens, relations, nfts }) =>
      truths.push({
        ...{ end, accounts: new Map(accounts), tokens: new Map(tokens) },
        ...{ relations: new Map(relations), nfts: new Map(nfts) },
      }),
  });
  const scratch = await createScratchDatabase();
  await stream.importInto(scratch.connectionString);
  const db = openDatabase(scratch);
  const kept = {
    system: usualRealm,
    codes: createCodeCache(2 ** 20),
    files: createSystemFiles(usualRealm),
    snapshots: createBalanceSnapshots(usualRealm),
  };
  const compared = { accounts: 0, nonces: 0, tokens: 0, relations: 0, nfts: 0 };
  const differing: string[] = [];
  try {
    for (const truth of truths.slice(2)) {
      const block = (await selectStateBlock(db, { around: truth.end }))!;
      const facts = createFactSource({ db, moment: pastAt(truth.end, block), ...kept });
      const compare = (what: keyof typeof compared, name: string, found: unknown, expected: unknown) => {
        compared[what] += 1;
        if (found !== expected) differing.push(`${block.number} ${what} ${name}: ${found}, not ${expected}`);
      };
      await compareAccounts(facts, truth, compare);
      await compareTokens(facts, truth, compare);
    }
    const [snapshots] = await db.query<{ count: bigint }>({
      name: 'snapshots',
      text: 'select count(distinct consensus_timestamp) as count from account_balance',
    });
    expect(snapshots!.count).toBeGreaterThan(3n);
  } finally {
    await db.close();
    await scratch.close();
    stream.close();
  }
  expect(differing).toEqual([]);
  expect(compared.accounts).toBeGreaterThan(1000);
  expect(compared.nonces).toBeGreaterThan(50);
  expect(compared.tokens).toBeGreaterThan(100);
  expect(compared.relations).toBeGreaterThan(1000);
  expect(compared.nfts).toBeGreaterThan(100);
});

type Compare = (
  what: 'accounts' | 'nonces' | 'tokens' | 'relations' | 'nfts',
  name: string,
  found: unknown,
  expected: unknown,
) => void;

async function compareAccounts(facts: FactSource, { accounts }: Truth, compare: Compare): Promise<void> {
  const nums = [...accounts.keys()];
  const found = await facts({ addresses: nums, slots: [], blocks: [], keys: [] });
  for (const [at, num] of nums.entries()) {
    const { balance, deleted, isContract, ethereumNonce } = accounts.get(num)!;
    const known = found.accounts[at]!.facts;
    compare('accounts', `${num}`, known?.balance ?? null, deleted ? null : balance);
    // Of contracts the ledger keeps the newest nonce alone.
    if (!deleted && !isContract && ethereumNonce > 0n) compare('nonces', `${num}`, known?.nonce, ethereumNonce);
  }
}

async function compareTokens(facts: FactSource, truth: Truth, compare: Compare): Promise<void> {
  const living = [...truth.tokens.values()].filter(({ deleted }) => !deleted);
  const ofLiving = ({ token }: { token: bigint }) => truth.tokens.get(token)?.deleted === false;
  const relations = [...truth.relations.values()].filter(ofLiving);
  const nfts = [...truth.nfts.values()].filter(ofLiving);
  const keys: FactKey[] = [
    ...living.map(({ id }) => ({ kind: 'token', token: id }) as const),
    ...living.map(({ id, nonFungible }) => ({ kind: 'supply', token: id, isFungible: !nonFungible }) as const),
    ...relations.map(({ token, account }) => ({ kind: 'relation', token, account }) as const),
    ...nfts.map(({ token, serial }) => ({ kind: 'nft', token, serial }) as const),
  ];
  const found = (await facts({ addresses: [], slots: [], blocks: [], keys })).facts;
  const of = <Fact>(kind: FactKey['kind']) =>
    found.flatMap(({ key, fact }) => (key.kind === kind ? [fact as Fact] : []));
  const statuses = new Map<bigint, number | undefined>();
  for (const [at, fact] of of<TokenFacts | null>('token').entries()) {
    statuses.set(living[at]!.id, fact?.freezeStatus);
    const { id, treasury } = living[at]!;
    compare('tokens', `${id} treasury`, fact?.treasury, treasury);
  }
  for (const [at, supply] of of<bigint>('supply').entries()) {
    const { id, totalSupply } = living[at]!;
    compare('tokens', `${id} supply`, supply, totalSupply);
  }
  for (const [at, fact] of of<RelationFacts | null>('relation').entries()) {
    const { token, account, balance, automatic, frozen } = relations[at]!;
    compare('relations', `${token} ${account}`, fact?.balance, balance);
    compare('relations', `${token} ${account} automatic`, fact?.isAutomatic, automatic);
    // A status that nobody changed for the account is the token's; but for a new treasury, whose status no record says.
    if (account === truth.tokens.get(token)!.treasury && fact?.freezeStatus === null) continue;
    const status = fact?.freezeStatus ?? statuses.get(token);
    compare('relations', `${token} ${account} frozen`, status === 1, frozen);
  }
  for (const [at, fact] of of<NftFacts | null>('nft').entries()) {
    const { token, serial, owner, spender } = nfts[at]!;
    compare('nfts', `${token} ${serial}`, fact?.owner, owner);
    compare('nfts', `${token} ${serial} spender`, fact?.spender ?? null, spender);
  }
}
