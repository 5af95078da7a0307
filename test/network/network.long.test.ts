// The simulated network tells the truth: read from its files alone, every list sums to zero, every balance follows from
// the transfers, and the chain of hashes and signatures holds.

import { verify } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAddressBook, toPublicKey } from '../../packages/protocol/hapi/address-book.ts';
import { toEntityId } from '../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../packages/protocol/hapi/hapi.ts';
import { signatureFileName } from '../../packages/simulated-network/formats/stream-file-names.ts';
import type { Network } from '../../packages/simulated-network/network.ts';
import { computeObjectRunningHash } from '../../packages/streams/record-stream/object-running-hash.ts';
import { readSidecarFile } from '../../packages/streams/record-stream/sidecar-file.ts';
import { readSignatureFile } from '../../packages/streams/record-stream/signature-file.ts';
import { sidecarFileName } from '../../packages/streams/record-stream/stream-file-name.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { type ReadBlock, readStream, sumTransfers } from '../oracle/read/read-stream.ts';

const supply = 5_000_000_000_000_000_000n;
const start = 1_790_000_000_000_000_000n;
const blockCount = 120;
/** Of a batch that failed later: it leaves nothing but its fee. */
const reverted = proto.ResponseCodeEnum.REVERTED_SUCCESS;

let folder: string;
let network: Network;
let blocks: ReadBlock[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'network-'));
  network = await openNetwork({ folder, seed: 'truth 5' });
  for (let block = 0; block < blockCount; block++) {
    await network.writeBlock({ consensusStart: timeOf(block) });
    checkLedger();
  }
  blocks = readStream(folder);
});

afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

function timeOf(block: number): bigint {
  return start + BigInt(block) * 20_000_000_000n;
}

/** The invariants of the ledger itself, after each block. */
function checkLedger(): void {
  const { accounts, tokens, relations, nfts } = network.state().tables;
  let total = 0n;
  for (const { id, balance } of accounts.values()) {
    if (balance < 0n) throw new Error(`Account ${id} has ${balance} tinybar`);
    total += balance;
  }
  expect(total).toBe(supply);
  const units = new Map<bigint, bigint>();
  for (const { token, balance } of relations.values()) {
    expect(balance).toBeGreaterThanOrEqual(0n);
    units.set(token, (units.get(token) ?? 0n) + balance);
  }
  for (const token of tokens.values())
    expect([token.id, units.get(token.id) ?? 0n]).toEqual([token.id, token.totalSupply]);
  const owned = new Map<string, bigint>();
  for (const { owner, token } of nfts.values())
    owned.set(`${owner}:${token}`, (owned.get(`${owner}:${token}`) ?? 0n) + 1n);
  for (const [key, count] of owned) expect(relations.get(key)?.balance).toBe(count);
}

describe('the records', () => {
  test('every transfer list sums to zero, but for the creation of the supply', () => {
    const unbalanced = blocks.flatMap(({ items }) =>
      items.filter(({ record }) => {
        const amounts = record.transferList?.accountAmounts ?? [];
        return amounts.reduce((sum, { amount }) => sum + toBigInt(amount), 0n) !== 0n;
      }),
    );
    expect(unbalanced.map(({ record }) => toBigInt(record.transferList?.accountAmounts?.[0]?.amount))).toEqual([
      supply,
    ]);
  });

  test('balances, holdings and owners follow from the transfers', () => {
    const { hbar, tokens, nfts } = sumTransfers(blocks);
    const { tables } = network.state();
    for (const { id, balance } of tables.accounts.values()) expect([id, hbar.get(id) ?? 0n]).toEqual([id, balance]);
    for (const { account, token, balance } of tables.relations.values()) {
      if (tables.tokens.get(token)!.nonFungible) continue;
      expect([account, token, tokens.get(`${account}:${token}`) ?? 0n]).toEqual([account, token, balance]);
    }
    for (const [key, { owner }] of tables.nfts) expect([key, nfts.get(key)]).toEqual([key, owner]);
  });

  test('consensus times rise strictly', () => {
    const times = blocks.flatMap(({ items }) => items.map(({ consensusTimestamp }) => consensusTimestamp));
    for (let item = 1; item < times.length; item++) expect(times[item]!).toBeGreaterThan(times[item - 1]!);
  });

  test('most kinds of transactions appear, and many results', () => {
    const items = blocks.flatMap((block) => block.items);
    expect(new Set(items.map(({ type }) => type)).size).toBeGreaterThan(35);
    expect(new Set(items.map(({ status }) => status)).size).toBeGreaterThan(12);
    expect(items.some(({ record }) => record.scheduleRef)).toBe(true);
    expect(items.some(({ record }) => record.parentConsensusTimestamp)).toBe(true);
    expect(items.some(({ record }) => record.paidStakingRewards?.length)).toBe(true);
    expect(items.some(({ record }) => record.assessedCustomFees?.length)).toBe(true);
    expect(items.some(({ body }) => body.maxCustomFees?.length)).toBe(true);
    expect(items.some(({ body }) => body.batchKey)).toBe(true);
  });

  test('a contract that an Ethereum transaction or a contract makes has its own record, right after', () => {
    const { accounts } = network.state().tables;
    const parents = new Map<string, number>();
    for (const { items } of blocks) {
      for (const [index, { type, status, record, consensusTimestamp }] of items.entries()) {
        const result = record.contractCallResult ?? record.contractCreateResult;
        if (status !== 22 || record.parentConsensusTimestamp || !result) continue;
        const own = type === 8 ? toEntityId(record.receipt?.contractID) : 0n;
        const created = (result.createdContractIDs ?? []).map(toEntityId).filter((id) => id !== own);
        const children = items.slice(index + 1).filter((item) => item.parentConsensusTimestamp === consensusTimestamp);
        const made = children.filter((child) => child.type === 8);
        expect(made.map((child) => toEntityId(child.record.receipt?.contractID))).toEqual(created);
        for (const [position, child] of made.entries()) {
          const account = accounts.get(created[position]!)!;
          const address = child.record.contractCreateResult!.evmAddress!.value!;
          expect(Buffer.from(address).equals(account.evmAddress!)).toBe(true);
          expect(child.record.transactionID!.nonce).toBeGreaterThan(0);
          expect(child.record.transactionID!.accountID).toEqual(record.transactionID!.accountID);
          expect(account.isContract).toBe(true);
        }
        if (created.length > 0) {
          const kind = `${type} ${record.contractCreateResult ? 'create' : 'call'}, ${created.length} made`;
          parents.set(kind, (parents.get(kind) ?? 0) + 1);
        }
      }
    }
    expect([...parents.keys()]).toEqual(expect.arrayContaining(['50 create, 1 made', '7 call, 1 made']));
    expect([...parents.keys()].some((kind) => kind.endsWith('2 made'))).toBe(true);
  });

  test('what clients choose varies', () => {
    const items = blocks.flatMap((block) => block.items);
    const durations = new Set(items.map(({ body }) => String(body.transactionValidDuration?.seconds)));
    expect([...durations]).toEqual(expect.arrayContaining(['60', '120', '180']));
    const prices = items.flatMap(({ body, record }) =>
      body.highVolume ? [toBigInt(record.highVolumePricingMultiplier)] : [],
    );
    expect(new Set(prices).size).toBeGreaterThan(1);
    const limits = items.flatMap(({ body }) => body.maxCustomFees ?? []).flatMap(({ fees }) => fees ?? []);
    expect(limits.some(({ denominatingTokenId }) => denominatingTokenId)).toBe(true);
    expect(limits.some(({ denominatingTokenId }) => !denominatingTokenId)).toBe(true);
  });

  test('a token, a contract with a result and a schedule are there two blocks after genesis', () => {
    const types = new Set(
      blocks.slice(0, 3).flatMap(({ items }) => items.filter(({ status }) => status === 22).map(({ type }) => type)),
    );
    expect([...types]).toEqual(expect.arrayContaining([29, 8, 7, 42]));
  });

  test('so are an allowance of all NFTs, a pending airdrop, and the most that is staked for rewards', () => {
    const opening = blocks.slice(0, 3).flatMap(({ items }) => items.filter(({ status }) => status === 22));
    const allowances = opening.flatMap(({ body }) => body.cryptoApproveAllowance?.nftAllowances ?? []);
    expect(allowances.some(({ approvedForAll }) => approvedForAll?.value === true)).toBe(true);
    expect(opening.flatMap(({ record }) => record.newPendingAirdrops ?? []).length).toBeGreaterThan(0);
    const [stake] = opening.flatMap(({ body }) => body.nodeStakeUpdate ?? []);
    expect(toBigInt(stake!.maxStakeRewarded)).toBe(650_000_000_000_000_000n);
    // And stay: users settle the oldest.
    expect(network.state().tables.airdrops.size).toBeGreaterThan(0);
  });

  test('what is refused before the EVM runs has a result that says why, without gas', () => {
    const items = blocks.flatMap((block) => block.items);
    const called = items.filter(({ type, status }) => (type === 7 || type === 8) && status !== reverted);
    const refused = called.filter(({ record }) => {
      const result = record.contractCallResult ?? record.contractCreateResult;
      return !record.parentConsensusTimestamp && toBigInt(result?.gasUsed) === 0n;
    });
    expect(refused.map(({ status }) => status)).toContain(proto.ResponseCodeEnum.INVALID_CONTRACT_ID);
    for (const { type, status, record } of refused) {
      const contractID = record.receipt?.contractID ?? null;
      const errorMessage = `0x${Buffer.from(proto.ResponseCodeEnum[status]!).toString('hex')}`;
      const result = type === 7 ? record.contractCallResult : record.contractCreateResult;
      expect(result).toMatchObject({ contractID, errorMessage });
      if (status === proto.ResponseCodeEnum.INVALID_CONTRACT_ID) expect(contractID).toBeNull();
    }
  });

  test("a counter's storage is the number that its last event told", () => {
    const { storage, cast } = network.state().tables;
    const told = new Map<bigint, bigint>();
    for (const { record } of blocks.flatMap(({ items }) => items)) {
      for (const log of record.contractCallResult?.logInfo ?? []) {
        const contract = toEntityId(log.contractID);
        if (cast.get('counter')!.includes(contract))
          told.set(contract, BigInt(`0x${Buffer.from(log.data!).toString('hex')}`));
      }
    }
    expect(told.size).toBeGreaterThan(0);
    for (const [contract, count] of told) {
      const slot = storage.get(`${contract}:${'0'.repeat(64)}`)!;
      expect(BigInt(`0x${Buffer.from(slot).toString('hex')}`)).toBe(count);
    }
  });
});

describe('the files', () => {
  test('hashes chain from block to block and follow from the items', () => {
    let previous = Buffer.alloc(48);
    for (const [number, { file }] of blocks.entries()) {
      expect(file.previousHash.equals(previous)).toBe(true);
      expect(computeObjectRunningHash(file.previousHash, file.items).equals(file.hash)).toBe(true);
      expect(file.blockNumber).toBe(BigInt(number));
      previous = Buffer.from(file.hash);
    }
  });

  test('every node signed every file, and sidecars are as promised', () => {
    const { nodes } = readAddressBook(readFileSync(network.addressBookPath));
    expect(nodes).toHaveLength(4);
    let sidecars = 0;
    for (const node of nodes) {
      const path = join(folder, 'recordstreams', `record0.0.${node.accountId}`);
      for (const { name, file } of blocks) {
        const signatures = readSignatureFile(readFileSync(join(path, signatureFileName(name))));
        expect(signatures.file.hash.equals(file.fileHash)).toBe(true);
        expect(verify('RSA-SHA384', file.fileHash, toPublicKey(node), signatures.file.signature)).toBe(true);
        expect(verify('RSA-SHA384', file.metadataHash!, toPublicKey(node), signatures.metadata!.signature)).toBe(true);
        for (const { id, hash } of file.sidecars) {
          const sidecar = readSidecarFile(gunzipSync(readFileSync(join(path, 'sidecar', sidecarFileName(name, id)))));
          expect(sidecar.hash.equals(hash)).toBe(true);
          sidecars += sidecar.records.length;
        }
      }
    }
    expect(sidecars).toBeGreaterThan(100);
  });

  test('the same seed and times make the same files', async () => {
    const again = mkdtempSync(join(tmpdir(), 'network-again-'));
    // RSA keys are the only thing that does not come from the seed.
    cpSync(join(folder, 'keys'), join(again, 'keys'), { recursive: true });
    const second = await openNetwork({ folder: again, seed: 'truth 5' });
    for (let block = 0; block < 20; block++) {
      await second.writeBlock({ consensusStart: timeOf(block) });
    }
    await second.close();
    const path = join('recordstreams', 'record0.0.4');
    for (const name of readdirSync(join(again, path))) {
      if (name === 'sidecar') continue;
      expect(readFileSync(join(again, path, name)).equals(readFileSync(join(folder, path, name)))).toBe(true);
    }
    rmSync(again, { recursive: true, force: true });
  });
});

test('Ethereum transactions carry signatures of the sender that the record names', async () => {
  const { openEthereumTransaction } = await import('../../packages/simulated-network/evm/ethereum-signer.ts');
  const { accounts } = network.state().tables;
  let checked = 0;
  for (const { body, record } of blocks.flatMap(({ items }) => items)) {
    const { ethereumData, callData } = body.ethereumTransaction ?? {};
    if (!ethereumData || callData) continue;
    const { sender } = openEthereumTransaction(ethereumData);
    const result = record.contractCallResult ?? record.contractCreateResult;
    const account = accounts.get(toEntityId(result?.senderId));
    if (!account) continue;
    expect(Buffer.from(account.evmAddress!).equals(sender)).toBe(true);
    checked += 1;
  }
  const types = blocks
    .flatMap(({ items }) => items)
    .flatMap(({ body }) => body.ethereumTransaction?.ethereumData?.[0] ?? []);
  expect(new Set(types.filter((first) => first < 0xc0))).toEqual(new Set([1, 2, 4]));
  expect(checked).toBeGreaterThan(10);
  expect(proto.ResponseCodeEnum.WRONG_NONCE).toBe(312);
});

test('blocks are written at their time whether or not anybody listens', async () => {
  const ownFolder = mkdtempSync(join(tmpdir(), 'network-'));
  const timed = await openNetwork({ folder: ownFolder, seed: 'timed', nodes: 1 });
  await timed.run({ intervalMs: 20, blocks: 3 });
  expect(timed.state().lastBlock).toBe(2n);
  await timed.close();
  rmSync(ownFolder, { recursive: true, force: true });
});

test.each([
  // Fewer are not possible: a restart may have to make their files again.
  [1, 100, 60],
  // None is old yet.
  [101, 100, 100],
])('with %i blocks kept, %i written leave %i', async (keepBlocks, written, left) => {
  const ownFolder = mkdtempSync(join(tmpdir(), 'network-'));
  const pruned = await openNetwork({ folder: ownFolder, seed: 'pruned', nodes: 1, keepBlocks });
  await pruned.run({ intervalMs: 0, blocks: written, transactionsPerBlock: 1, mix: 'bulk' });
  await pruned.close();
  const names = readdirSync(join(ownFolder, 'recordstreams', 'record0.0.3'));
  expect(names.filter((name) => name.endsWith('.rcd.gz'))).toHaveLength(left);
  expect(names.filter((name) => name.endsWith('.rcd_sig'))).toHaveLength(left);
  rmSync(ownFolder, { recursive: true, force: true });
});
