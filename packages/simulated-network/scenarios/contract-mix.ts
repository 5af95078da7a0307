// Contracts most of the time: every kind of transaction, call, creation and failure that the machine knows,
// precompiles, views of system contracts, accounts that run the code of others. What cannot be run again is left out:
// PREVRANDAO, BLOCKHASH, random numbers.
import { selectorBytes, signatureHash } from '../../abi/selector.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { type ArgumentValue, encodeCall, initcodeOf } from '../evm/artifacts.ts';
import { chainId, evmAddressOf, longZero, weibarPerTinybar } from '../evm/run-evm.ts';
import { duration, tinybarPerHbar, toLong } from '../ledger/hapi-values.ts';
import { evmAddressOfKey } from '../ledger/signing-keys.ts';
import * as accounts from './accounts.ts';
import * as batches from './batches.ts';
import * as contracts from './contracts.ts';
import * as ethereum from './ethereum.ts';
import { changeGasPrice } from './network-affairs.ts';
import type { Role, Scene } from './scene.ts';
import * as schedules from './schedules.ts';
import * as tokens from './tokens.ts';
import * as transfers from './transfers.ts';

type Scenario = (scene: Scene) => Promise<void>;

/** Weight and scenario. */
const mix: Record<string, [number, Scenario]> = {
  probe: [26, probe],
  delegate: [3, delegate],
  callDelegated: [4, callDelegated],
  callContract: [10, contracts.callContract],
  createContract: [1.5, contracts.createContract],
  createProber: [0.3, createProber],
  payFromVault: [1.5, contracts.payFromVault],
  failCreation: [1, contracts.failCreation],
  deleteContract: [0.4, contracts.deleteContract],
  updateContract: [0.3, contracts.updateContract],
  ethereumCall: [10, ethereum.ethereumCall],
  ethereumTransfer: [3, ethereum.ethereumTransfer],
  ethereumCreate: [1.5, ethereum.ethereumCreate],
  ethereumWrongNonce: [0.8, ethereum.ethereumWrongNonce],
  createSchedule: [0.5, schedules.createSchedule],
  signSchedule: [0.5, schedules.signSchedule],
  sendBatch: [0.7, batches.sendBatch],
  createUser: [0.5, createUser],
  completeHollow: [1, accounts.completeHollow],
  transferToken: [1, transfers.transferToken],
  transferNft: [1, transfers.transferNft],
  useAllowance: [1, transfers.useAllowance],
  associateToken: [0.7, tokens.associateToken],
  mintOrBurn: [0.7, tokens.mintOrBurn],
  freezeOrKyc: [0.5, tokens.freezeOrKyc],
  pauseAndUnpause: [0.2, tokens.pauseAndUnpause],
  createToken: [0.2, tokens.createToken],
  changeGasPrice: [0.1, changeGasPrice],
};
const weights = Object.fromEntries(Object.entries(mix).map(([name, [weight]]) => [name, weight]));

export async function playContracts(scene: Scene): Promise<void> {
  await mix[scene.random.weighted(weights)]![1](scene);
}

const maxUsers = 120;

function createUser(scene: Scene): Promise<void> {
  return scene.cast('user').length < maxUsers ? accounts.createUser(scene) : accounts.updateUser(scene);
}

async function createProber(scene: Scene): Promise<void> {
  if (scene.isFull('prober')) return probe(scene);
  const { status, id } = await scene.submit({
    kind: 'contractCreateInstance',
    payer: await scene.payer(),
    data: {
      initcode: initcodeOf('Prober'),
      gas: toLong(2_500_000n),
      initialBalance: toLong(50n * tinybarPerHbar),
      autoRenewPeriod: duration(7_776_000n),
    },
  });
  if (status === 'SUCCESS') scene.enlist('prober', id);
}

async function probe(scene: Scene): Promise<void> {
  if (scene.cast('prober').length === 0) return createProber(scene);
  const prober = scene.random.pick(scene.cast('prober'));
  await send(scene, prober, pickProbe(scene, prober));
}

type Probe = { data: Buffer; value?: bigint };

async function send(scene: Scene, target: bigint, { data, value = 0n }: Probe): Promise<void> {
  const { random } = scene;
  const payer = await payerBeside(scene, data);
  const gas = random.chance(0.04) ? 60_000n : 1_800_000n;
  if (random.chance(0.45)) {
    const to = evmAddressOf(scene.account(target));
    await ethereum.send(
      scene,
      { to, data, value: value * weibarPerTinybar, gasLimit: gas, payer },
      random.chance(0.03),
    );
  } else {
    await contracts.callThrough(scene, target, data, { amount: value, gas, payer });
  }
}

/** Not named in the call: what the payer has while it runs, without the fee that it paid, is in no record. */
async function payerBeside(scene: Scene, data: Buffer): Promise<bigint> {
  const payer = await scene.payer();
  return data.includes(Buffer.from(evmAddressOf(scene.account(payer)))) ? payerBeside(scene, data) : payer;
}

function prober(signature: string, ...values: ArgumentValue[]): Buffer {
  return encodeCall('Prober', signature, values);
}

/**
 * Something that a prober does; an account with its code does it as well. But an account makes no contracts: which
 * nonce it has then is in no record.
 */
function pickProbe(scene: Scene, own: bigint): Probe {
  const { random } = scene;
  const { isContract } = scene.account(own);
  const number = (most: number) => BigInt(random.integer(0, most));
  const kind = random.weighted({
    ...{ precompile: 6, look: 5, through: 6, system: 7, give: 5, environment: 1, write: 4, forget: 1 },
    ...{ descend: 3, make: isContract ? 4 : 0, vanish: isContract ? 1.5 : 0, halt: 2, log: 2, toil: 1 },
  });
  const probes: Record<typeof kind, () => Probe> = {
    precompile: () => ({ data: through(random.pick([0n, 1n, 2n]), ...pickPrecompile(scene)) }),
    look: () => ({ data: prober('look(address)', pickAddress(scene)) }),
    through: () => ({ data: pickInnerCall(scene, own) }),
    system: () => ({ data: pickSystemCall(scene) }),
    give: () => pickGift(scene),
    environment: () => ({ data: prober('environment()'), value: number(9) }),
    write: () => {
      const value = random.pick([0n, 0n, 7n, 2n ** 255n]);
      return { data: prober('write(uint256,uint256,uint256)', number(12), number(9), value) };
    },
    forget: () => ({ data: prober('forget(uint256)', number(1000)) }),
    descend: () => ({ data: prober('descend(uint256)', number(7)) }),
    make: () => {
      // Few salts: some addresses are taken.
      const salt = Buffer.alloc(32, random.integer(1, 6));
      return { data: prober('make(uint256,bytes32)', number(5), salt), value: random.pick([0n, 0n, 5n]) };
    },
    vanish: () => ({ data: prober('vanish(address)', pickAddress(scene)), value: number(500) }),
    halt: () => ({ data: prober('halt(uint256)', number(6)) }),
    log: () => ({ data: prober('log(uint256,bytes)', number(4), random.bytes(random.integer(33, 90))) }),
    toil: () => ({ data: prober('toil(uint256)', number(300)) }),
  };
  return probes[kind]();
}

function through(how: bigint, target: Uint8Array, input: Uint8Array, { value = 0n, limit = 0n } = {}): Buffer {
  return prober('through(uint256,address,uint256,uint256,bytes)', how, target, value, limit, input);
}

/** Of any account, or of none. */
function pickAddress({ random, cast, account }: Scene): Buffer {
  const kind = random.weighted({
    user: 5,
    contract: 4,
    delegated: 3,
    token: 3,
    system: 2,
    low: 2,
    unused: 2,
    number: 1,
  });
  const one = (roles: Role[]) => {
    const ids = roles.flatMap((role) => cast(role));
    return ids.length > 0 ? Buffer.from(evmAddressOf(account(random.pick(ids)))) : longZero(1n);
  };
  const token = [...cast('fungible'), ...cast('nonFungible')];
  const addresses: Record<typeof kind, () => Buffer> = {
    user: () => one(['user', 'hollow']),
    contract: () => one(['counter', 'coin', 'factory', 'vault', 'prober']),
    delegated: () => one(['ethereumUser']),
    token: () => longZero(token.length > 0 ? random.pick(token) : 2n),
    system: () => longZero(random.pick([0x167n, 0x168n, 0x16an, 0x16bn, 0x16cn])),
    low: () => longZero(random.pick([1n, 9n, 98n, 745n, 900n, 999n])),
    unused: () => Buffer.from(random.bytes(20)),
    number: () => longZero(900_000n + random.amount(0n, 1000n)),
  };
  return addresses[kind]();
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const word = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const padded = (address: Uint8Array) => Buffer.concat([Buffer.alloc(12), address]);

function pickPrecompile({ random }: Scene): [Buffer, Buffer, { limit?: bigint }] {
  const point = Buffer.concat([word(1n), word(2n)]);
  const blake = Buffer.concat([Buffer.of(0, 0, 0, random.integer(1, 20)), random.bytes(208), Buffer.of(1)]);
  const inputs: [number, Buffer][] = [
    [1, Buffer.concat([random.bytes(32), word(27n + BigInt(random.integer(0, 1))), random.bytes(64)])],
    [2, Buffer.from(random.bytes(random.integer(33, 200)))],
    [3, Buffer.from(random.bytes(random.integer(33, 200)))],
    [4, Buffer.from(random.bytes(random.integer(33, 200)))],
    [5, Buffer.concat([word(32n), word(2n), word(32n), random.bytes(66)])],
    [6, Buffer.concat([point, random.chance(0.8) ? point : random.bytes(64)])],
    [7, Buffer.concat([point, random.bytes(32)])],
    [8, Buffer.alloc(random.chance(0.5) ? 0 : 192)],
    [9, random.chance(0.8) ? blake : blake.subarray(1)],
    [10, Buffer.from(random.bytes(192))],
    [11, Buffer.alloc(256)],
    [12, Buffer.alloc(160)],
    [13, Buffer.alloc(random.chance(0.5) ? 512 : 511)],
    [15, Buffer.alloc(384)],
  ];
  const [number, input] = random.pick(inputs);
  // What fails takes all that it gets.
  return [longZero(BigInt(number)), input, { limit: random.pick([150_000n, 150_000n, 200n]) }];
}

function pickInnerCall(scene: Scene, own: bigint): Buffer {
  const { random, account } = scene;
  const how = random.pick(account(own).isContract ? [0n, 1n, 2n, 3n] : [0n, 1n]);
  const value = (how === 0n || how === 3n) && random.chance(0.3) ? 3n : 0n;
  const limit = random.pick([0n, 300_000n, 30_000n]);
  if (random.chance(0.4)) {
    const input = random.pick([
      prober('environment()'),
      prober('forget(uint256)', 5n),
      prober('write(uint256,uint256,uint256)', 3n, 2n, 9n),
      prober('descend(uint256)', 2n),
      prober('halt(uint256)', BigInt(random.integer(0, 5))),
    ]);
    return through(how, evmAddressOf(account(own)), input, { value, limit });
  }
  const call = contracts.pickCall(scene);
  const target = call ? evmAddressOf(account(call.target)) : longZero(own);
  // By its number, an account is the same.
  const named = call && random.chance(0.2) ? longZero(call.target) : target;
  return through(how, named, call?.data ?? Buffer.alloc(4), { value, limit });
}

/** Views, and what is no function. */
function pickSystemCall(scene: Scene): Buffer {
  const { random, cast, account } = scene;
  const someone = () => padded(evmAddressOf(account(random.pick(cast('user')))));
  const fungible = cast('fungible');
  const token = longZero(random.pick([...fungible, ...cast('nonFungible'), 1n]));
  const ofToken = (named: string, ...words: Buffer[]): [Buffer, string, Buffer[]] => [token, named, words];
  const of = (contract: bigint, named: string, ...words: Buffer[]): [Buffer, string, Buffer[]] => [
    longZero(contract),
    named,
    words,
  ];
  const [target, named, words] = random.pick([
    () => ofToken('totalSupply()'),
    () => ofToken('balanceOf(address)', someone()),
    () => ofToken('balanceOf(address)', padded(random.bytes(20) as Buffer)),
    () => ofToken('allowance(address,address)', someone(), someone()),
    () => ofToken('ownerOf(uint256)', word(BigInt(random.integer(1, 8)))),
    () => ofToken('getApproved(uint256)', word(BigInt(random.integer(1, 8)))),
    () => ofToken('isApprovedForAll(address,address)', someone(), someone()),
    () => ofToken('isAssociated()'),
    () => ofToken('12345678'),
    () => of(0x167n, 'isToken(address)', padded(token)),
    () => of(0x167n, 'isFrozen(address,address)', padded(token), someone()),
    () => of(0x167n, 'isKyc(address,address)', padded(token), someone()),
    () => of(0x16cn, 'getTokenType(address)', padded(token)),
    () => of(0x167n, 'getTokenDefaultFreezeStatus(address)', padded(token)),
    () => of(0x168n, 'tinycentsToTinybars(uint256)', word(random.amount(1n, 10n ** 12n))),
    () => of(0x168n, 'tinybarsToTinycents(uint256)', word(random.amount(1n, 10n ** 12n))),
    () => of(0x16an, 'getHederaAccountNumAlias(address)', someone()),
    () => of(0x16an, 'isValidAlias(address)', someone()),
    () => of(0x16an, 'hbarAllowance(address,address)', someone(), someone()),
    () => of(random.pick([0x167n, 0x16an]), 'cafe0001', someone()),
  ])();
  const input = Buffer.concat([toSelector(named), ...words]);
  return through(random.pick([0n, 0n, 1n, 1n, 2n]), target, input, { limit: 60_000n });
}

/** Of a signature, or 8 hex digits that no function has. */
function toSelector(named: string): Buffer {
  return named.endsWith(')') ? signatureHash(named).subarray(0, selectorBytes) : Buffer.from(named, 'hex');
}

/** A value that a prober passes on: to accounts, to unused addresses, to what takes none. */
function pickGift(scene: Scene): Probe {
  const { random } = scene;
  const value = random.amount(1n, 900n);
  const unused = random.chance(0.35) && !scene.isFull('hollow');
  if (!unused) return { data: through(0n, pickGiftTarget(scene), Buffer.alloc(0), { value }), value };
  const key = scene.newKey('ECDSA');
  return { data: through(0n, evmAddressOfKey(key.ECDSASecp256k1!), Buffer.alloc(0), { value }), value };
}

function pickGiftTarget(scene: Scene): Buffer {
  const address = pickAddress(scene);
  // Random bytes would make accounts without end.
  const isUnused = address[0] !== 0 && !scene.ledger.tables.names.has(address.toString('hex'));
  return isUnused ? longZero(900_001n) : address;
}

async function delegate(scene: Scene): Promise<void> {
  const { random, account } = scene;
  const users = scene.cast('ethereumUser');
  if (users.length === 0 || scene.cast('prober').length === 0) return probe(scene);
  const sender = random.pick(users);
  const targets = ['prober', 'prober', 'counter', 'vault', 'coin', 'ethereumUser'] as const;
  const pickCode = (): Uint8Array => {
    if (random.chance(0.15)) return new Uint8Array(20);
    if (random.chance(0.15)) return random.pick([longZero(0x167n), longZero(4n), longZero(700n), longZero(999_999n)]);
    const ids = scene.cast(random.pick(targets));
    return ids.length > 0 ? evmAddressOf(account(random.pick(ids))) : new Uint8Array(20);
  };
  const nonces = new Map([[sender, account(sender).ethereumNonce + 1n]]);
  const authorizations: NonNullable<Parameters<typeof ethereum.send>[1]['authorizations']> = [];
  let newKey: proto.IKey | null = null;
  for (let count = random.integer(1, 3); count > 0; count--) {
    const chain = random.pick([BigInt(chainId), 0n, BigInt(chainId), 5n]);
    if (newKey === null && random.chance(0.25) && !scene.isFull('hollow')) {
      const key = scene.newKey('ECDSA');
      if (scene.ledger.tables.names.has(hexOf(evmAddressOfKey(key.ECDSASecp256k1!)))) continue;
      newKey = key;
      // Without code it would be no account, but for its nonce, which only block streams know.
      const address = evmAddressOf(account(random.pick(scene.cast('prober'))));
      authorizations.push({ chainId: 0n, address, nonce: 0n, secret: secretOf(scene, key) });
      continue;
    }
    const id = random.pick(users);
    const nonce = nonces.get(id) ?? account(id).ethereumNonce;
    if (chain !== 5n) nonces.set(id, nonce + 1n);
    const secret = secretOf(scene, proto.Key.decode(account(id).key));
    authorizations.push({ chainId: chain, address: pickCode(), nonce, secret });
  }
  if (authorizations.length === 0) return probe(scene);
  const target = random.chance(0.5) ? random.pick(users) : random.pick(scene.cast('prober'));
  const to = evmAddressOf(account(target));
  const { data, value = 0n } = pickProbe(scene, target);
  await ethereum.send(scene, {
    ...{ type: 'setCode', sender, to, data, authorizations, gasLimit: 2_500_000n },
    payer: await payerBeside(scene, data),
    value: value * weibarPerTinybar,
  });
  const id = newKey && scene.ledger.tables.names.get(hexOf(evmAddressOfKey(newKey.ECDSASecp256k1!)));
  if (newKey && id) accounts.enlistHollow(scene, id, newKey);
}

function secretOf(scene: Scene, key: proto.IKey): Uint8Array {
  return scene.keys.ecdsaSecret(Buffer.from(key.ECDSASecp256k1!).toString('hex'));
}

async function callDelegated(scene: Scene): Promise<void> {
  const { random, account } = scene;
  const delegated = scene.cast('ethereumUser').filter((id) => account(id).code !== null);
  if (delegated.length === 0 || scene.cast('prober').length === 0) return delegate(scene);
  const target = random.pick(delegated);
  const data = random.chance(0.25) ? encodeCall('Counter', 'increment()') : pickProbe(scene, target).data;
  await send(scene, target, { data, value: random.pick([0n, 0n, 4n]) });
}
