// Proxies of every kind, on the mirrored ledger by an import of signed files and on a chain by JSON-RPC: both APIs of
// Sourcify, Etherscan's and the pages say the same of each, which is what its constructor was given. Code, storage and
// answers come from an EVM of others.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { toChecksumAddress } from '../../packages/abi/checksum-address.ts';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { proto } from '../../packages/protocol/hapi/hapi.ts';
import {
  encodeTransactionBody,
  encodeTransactionRecord,
} from '../../packages/simulated-network/formats/encode-transaction.ts';
import { writeAddressBook } from '../../packages/simulated-network/formats/write-address-book.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import {
  createSignedStream,
  createTestKeys,
  type SignedStream,
  toTimestamp,
} from '../../packages/test-support/streams/signed-stream.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { openChecked } from '../../packages/test-support/verification/open-checked.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import type { MirrorServer } from '../../src/server/server.ts';
import {
  type DeployedContract,
  deployProxyKinds,
  type ProxyKinds,
  proxySource,
} from '../support/contracts/proxy-kinds.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

const ledger = '298';
const foreign = '1';
const away = '137';
const compilerVersion = '0.8.28+commit.7893614a';
const firstContract = 5001;

let kinds: ProxyKinds;
let rpc: Server;
let folder: string;
let stack: VerificationStack;
let db: Database;
let app: MirrorServer;
/** JSON-RPC calls, by method. */
const asked = new Map<string, number>();

beforeAll(async () => {
  kinds = await deployProxyKinds();
  folder = mkdtempSync(join(tmpdir(), 'proxies-'));
  rpc = await serveEvm();
  const url = `http://127.0.0.1:${(rpc.address() as AddressInfo).port}`;
  const chain = (chainId: string, urls: string[]) => ({
    ...{ chainId, name: `Chain ${chainId}`, explorers: [] },
    bytecode: { kind: 'rpc' as const, urls, timeoutMs: 30_000 },
  });
  stack = await startVerificationStack({
    explorers: [],
    chains: [chain(foreign, [url]), chain(away, ['http://127.0.0.1:1'])],
    fill: importLedger,
  });
  db = openDatabase({ connectionString: stack.connectionString });
  const { abis, sources } = openChecked(db, stack.routes.jobs, stack.askContract);
  for (const chainId of [ledger, foreign]) await verifyAll(chainId);
  app = openServer(db, 'spec', { abis, sources });
});
afterAll(async () => {
  await app?.close();
  await db?.close();
  await stack?.close();
  rpc?.close();
  rmSync(folder, { recursive: true, force: true });
});

type Called = { to: string; data: string };

/** The EVM as an endpoint answers for it. */
async function serveEvm(): Promise<Server> {
  const { evm } = kinds;
  const bytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
  const methods: Record<string, (params: [string & Called, string]) => Promise<Buffer | null>> = {
    eth_getCode: ([address]) => evm.codeOf(address),
    eth_getStorageAt: ([address, slot]) => evm.slotOf(address, bytes(slot)),
    eth_call: ([{ to, data }]) => evm.call(to, bytes(data)),
  };
  const server = createServer(async (request, response) => {
    const { id, method, params } = (await json(request)) as {
      id: number;
      method: string;
      params: [string & Called, string];
    };
    asked.set(method, (asked.get(method) ?? 0) + 1);
    const answer = method in methods ? await methods[method]!(params) : null;
    const failed = { error: { code: 3, message: 'execution reverted' } };
    const result = answer
      ? { result: `0x${answer.toString('hex')}` }
      : method === 'eth_call'
        ? failed
        : { result: null };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

let stream: SignedStream;

/** Each contract is created by a transaction, with code and changes of its storage in sidecars. */
async function importLedger(connectionString: string): Promise<void> {
  stream = createSignedStream(folder, createTestKeys(3));
  const contracts = [...kinds.contracts.values()];
  const changes = await Promise.all(contracts.map(({ address }) => storageOf(address)));
  stream.write({
    items: (timestampOf) => contracts.map((one, place) => toCreation(one, place, timestampOf(place))),
    sidecars: (timestampOf) =>
      contracts.flatMap(({ initcode, code }, place) => {
        const consensusTimestamp = toTimestamp(timestampOf(place));
        const contractId = { contractNum: (firstContract + place) as never };
        return [
          { consensusTimestamp, bytecode: { contractId, initcode, runtimeBytecode: code } },
          toStateChange(timestampOf(place), place, changes[place]!),
        ];
      }),
  });
  await importWritten(connectionString);
}

/** A block in which the beacon of the ledger is given another implementation. */
async function upgradeBeacon(connectionString: string, to: string): Promise<void> {
  const place = [...kinds.contracts.keys()].indexOf('Beacon');
  const valueWritten = { value: Buffer.from(to.slice(2), 'hex') };
  stream.write({
    sidecars: (timestampOf) => [
      toStateChange(timestampOf(0), place, [{ slot: Buffer.alloc(1), valueRead: Buffer.of(1), valueWritten }]),
    ],
  });
  await importWritten(connectionString);
}

function toStateChange(at: bigint, place: number, storageChanges: proto.IStorageChange[]) {
  const contractId = { contractNum: (firstContract + place) as never };
  return {
    consensusTimestamp: toTimestamp(at),
    stateChanges: { contractStateChanges: [{ contractId, storageChanges }] },
  };
}

async function importWritten(connectionString: string): Promise<void> {
  const source = createFolderSource({ path: folder, pollMs: 20, missingTimeoutMs: 300 });
  const writer = await createBlockWriter({ connectionString });
  const target = openDatabase({ connectionString });
  const addressBook = writeAddressBook(stream.addressBook.nodes);
  const summary = await importStream({ source, db: target, writer, addressBook, live: false });
  await writer.close();
  await target.close();
  expect(summary).toMatchObject({ problems: 0 });
}

async function storageOf(address: string): Promise<proto.IStorageChange[]> {
  const changes: proto.IStorageChange[] = [];
  for (const text of kinds.evm.written(address)) {
    const slot = Buffer.from(text.slice(2), 'hex');
    const value = await kinds.evm.slotOf(address, slot);
    changes.push({ slot: trimmed(slot), valueRead: Buffer.alloc(0), valueWritten: { value: trimmed(value) } });
  }
  return changes;
}

/** As nodes write words. */
function trimmed(word: Buffer): Buffer {
  const first = word.findIndex((byte) => byte !== 0);
  return word.subarray(first < 0 ? word.length - 1 : first);
}

function toCreation({ initcode, address }: DeployedContract, place: number, at: bigint) {
  const contractID = { contractNum: firstContract + place };
  const transactionID = { accountID: { accountNum: 2 }, transactionValidStart: toTimestamp(at - 5_000_000_000n) };
  const create = { initcode, gas: 1_000_000, autoRenewPeriod: { seconds: 7_776_000 } };
  const bodyBytes = encodeTransactionBody({ transactionID, contractCreateInstance: create } as never);
  const signedTransactionBytes = proto.SignedTransaction.encode({ bodyBytes, sigMap: { sigPair: [] } }).finish();
  return {
    transaction: Buffer.from(proto.Transaction.encode({ signedTransactionBytes }).finish()),
    record: encodeTransactionRecord({
      receipt: { status: 22, contractID },
      transactionHash: Buffer.alloc(48, place + 1),
      consensusTimestamp: toTimestamp(at),
      transactionID,
      contractCreateResult: {
        contractID,
        gasUsed: 500_000,
        evmAddress: { value: Buffer.from(address.slice(2), 'hex') },
        createdContractIDs: [contractID],
      },
    } as never),
  };
}

/** Every contract is checked with its own sources: the lookup knows no others. */
async function verifyAll(chainId: string): Promise<void> {
  for (const { name, address } of kinds.contracts.values()) {
    const body = { stdJsonInput: kinds.input, compilerVersion, contractIdentifier: `${proxySource}:${name}` };
    const { body: started } = await stack.post(`/v2/verify/${chainId}/${address}`, body);
    const job = await vi.waitUntil(
      async () => {
        const { body: found } = await stack.get(`/v2/verify/${started.verificationId}`);
        return found.isJobCompleted ? found : null;
      },
      { timeout: waitMs, interval: 50 },
    );
    expect([name, job.error]).toEqual([name, undefined]);
  }
}

const contract = (label: string): DeployedContract => kinds.contracts.get(label)!;

/** By implementation. */
const nameOf = (address: string): string =>
  [...kinds.contracts.values()].find((one) => one.address === address && one.proxyType === null)!.name;

const labels = [
  'Clone',
  'Erc1967',
  'BeaconProxy',
  'Erc1822',
  'ZeppelinOs',
  'Safe',
  'SequenceWallet',
  'Diamond',
  'OtherDiamond',
];
const others = ['Logic', 'Loupe', 'Beacon', 'Registry', 'Delegating'];

describe.each([ledger, foreign])('on chain %s', (chainId) => {
  const etherscan = async (action: string, members: Record<string, string>) =>
    (await stack.get(`/api?${new URLSearchParams({ chainid: chainId, module: 'contract', action, ...members })}`)).body;

  it.each([...labels, ...others])('%s', async (label) => {
    const { address, proxyType, implementations } = contract(label);
    const expected = {
      isProxy: proxyType !== null,
      proxyType,
      implementations: implementations.map((one) => ({ address: toChecksumAddress(one), name: nameOf(one) })),
    };
    const path = `/v2/contract/${chainId}/${address}`;
    expect((await stack.get(`${path}?fields=proxyResolution`)).body.proxyResolution).toEqual(expected);
    expect((await stack.get(`${path}?fields=proxyResolution.proxyType`)).body.proxyResolution).toEqual({ proxyType });
    expect((await stack.get(`${path}?omit=sources`)).body.proxyResolution).toEqual(expected);
    const { body: all } = await stack.get(
      `/check-all-by-addresses?addresses=${address}&chainIds=${chainId}&resolveProxies=true`,
    );
    expect(all).toEqual([
      { address: toChecksumAddress(address), chainIds: [{ chainId, status: 'perfect', ...expected }] },
    ]);
    const { result } = await etherscan('getsourcecode', { address });
    expect(result[0]).toMatchObject({ Proxy: proxyType ? '1' : '0', Implementation: implementations[0] ?? '' });
    for (const [expectedimplementation, isRight] of [
      [implementations.at(-1), true],
      [contract('Delegating').address, false],
    ] as const) {
      const { result: guid } = await etherscan('verifyproxycontract', {
        address,
        ...(expectedimplementation && { expectedimplementation }),
      });
      const { status, result: said } = await etherscan('checkproxyverification', { guid });
      expect([label, said, status]).toEqual([
        label,
        expect.stringMatching(proxyType === null ? /not detected/ : isRight ? /is found at 0x/ : /different/),
        proxyType !== null && isRight ? '1' : '0',
      ]);
    }
  });
});

describe('pages of the ledger', () => {
  const read = async (label: string, end = ''): Promise<string> =>
    (await app.inject(`/demo/contract/${contract(label).address}${end}`)).body;

  it.each(labels)('%s is read as what it forwards to', async (label) => {
    const { implementations } = contract(label);
    const page = await read(label);
    expect(page).toMatch(/Calls go on to/);
    for (const one of implementations) {
      expect(page).toContain(`${toChecksumAddress(one)}</code></a>, <bdi>${nameOf(one)}</bdi>`);
    }
    const functions = await read(label, '/abi');
    expect(functions).toContain('set');
  });

  it.each(others)('%s is none', async (label) => expect(await read(label)).not.toContain('Calls go on to'));
});

describe('pages of a chain by JSON-RPC', () => {
  const read = async (chainId: string, label: string): Promise<string> =>
    (await fetch(`${stack.url}/repo-ui/${chainId}/${contract(label).address}`)).text();

  it.each(labels)('%s names what it forwards to, with the page of each', async (label) => {
    const page = await read(foreign, label);
    const [, list] = /<h2>Calls go on to<\/h2>\s*<ul[^>]*>(.*?)<\/ul>/s.exec(page)!;
    const shown = [...list!.matchAll(/<li><a href="([^"]*)">([^<]*)<\/a> <span><bdi>([^<]*)<\/bdi><\/span><\/li>/g)];
    expect(shown.map(([, href, address, name]) => [href, address, name])).toEqual(
      contract(label).implementations.map((one) => {
        const address = toChecksumAddress(one);
        return [`/repo-ui/${foreign}/${address}`, address, nameOf(one)];
      }),
    );
    for (const [, href] of shown) expect((await fetch(`${stack.url}${href}`)).status).toBe(200);
  });

  it.each(others)('%s is none', async (label) => {
    const page = await read(foreign, label);
    expect(page).toContain(contract(label).name);
    expect(page).not.toContain('Calls go on to');
  });
});

it('a beacon that says another implementation: the next question knows it', async () => {
  const other = contract('Loupe').address;
  const path = `/v2/contract/${foreign}/${contract('Erc1822').address}?fields=proxyResolution`;
  // What a chain said a moment ago is kept: a second question makes none there.
  await stack.get(path);
  const before = [...asked.values()].reduce((sum, count) => sum + count, 0);
  await stack.get(path);
  expect([...asked.values()].reduce((sum, count) => sum + count, 0)).toBe(before);
  await upgradeBeacon(stack.connectionString, other);
  const { body } = await stack.get(`/v2/contract/${ledger}/${contract('BeaconProxy').address}?fields=proxyResolution`);
  expect(body.proxyResolution.implementations).toEqual([{ address: toChecksumAddress(other), name: 'Loupe' }]);
});

it('a chain that does not answer: the rest of the answer is there, with the reason', async () => {
  const { address } = contract('Erc1967');
  await stack.query(`insert into verified_contract select (jsonb_populate_record(v, '{"chain_id": ${away}, "id": 900000}')).*
    from verified_contract v where chain_id = ${foreign} and address = '\\x${address.slice(2)}'`);
  const { status, body } = await stack.get(`/v2/contract/${away}/${address}?fields=abi,proxyResolution`);
  expect(status).toBe(200);
  expect(body.abi).toBeInstanceOf(Array);
  expect(body.proxyResolution).toEqual({
    proxyResolutionError: {
      customCode: 'proxy_resolution_error',
      message: expect.stringMatching(/^Cannot fetch bytecode for chain #137/),
      errorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  });
  const all = await stack.get(`/check-all-by-addresses?addresses=${address}&chainIds=${away}&resolveProxies=true`);
  expect(all.body[0].chainIds[0].proxyResolutionError).toMatch(/^Cannot fetch bytecode/);
  const source = await stack.get(`/api?chainid=${away}&module=contract&action=getsourcecode&address=${address}`);
  expect(source.body.result[0]).toMatchObject({ ContractName: 'Erc1967', Proxy: '0' });
  const page = await (await fetch(`${stack.url}/repo-ui/${away}/${address}`)).text();
  expect(page).toMatch(/Erc1967.*is not known: Cannot fetch bytecode.*Files/s);
});
