// Contracts through HAPI: created from files and inline, called, failing in every way, creating others, updated,
// deleted.
import { proto } from '../../protocol/hapi/hapi.ts';
import { type ArgumentValue, type ContractName, encodeCall, encodeValues, initcodeOf } from '../evm/artifacts.ts';
import { evmAddressOf } from '../evm/run-evm.ts';
import {
  accountId,
  contractId,
  duration,
  fileId,
  nsPerSecond,
  timestamp,
  tinybarPerHbar,
  toLong,
} from '../ledger/hapi-values.ts';
import { encodeKey, evmAddressOfKey } from '../ledger/signing-keys.ts';
import { enlistHollow } from './accounts.ts';
import { treasury } from './genesis.ts';
import type { Role, Scene, SubmitResult } from './scene.ts';

const roles: Record<ContractName, Role> = {
  Counter: 'counter',
  Coin: 'coin',
  Factory: 'factory',
  Reverter: 'reverter',
  Vault: 'vault',
};
const constructorValues: Record<ContractName, ArgumentValue[]> = {
  Counter: [0n],
  Coin: [1_000_000_000n],
  Factory: [],
  Reverter: [false],
  Vault: [],
};

export async function createContract(scene: Scene, wanted?: ContractName): Promise<void> {
  const { random } = scene;
  const names = Object.keys(roles) as ContractName[];
  const name = wanted ?? names.find((candidate) => scene.cast(roles[candidate]).length === 0) ?? random.pick(names);
  if (scene.isFull(roles[name])) return deleteContract(scene);
  const payer = await scene.payer();
  const inFile = random.chance(0.5);
  const file = inFile ? await uploadBytecode(scene, name) : undefined;
  const adminKey = random.chance(0.6) ? scene.newKey() : undefined;
  const { status, id } = await scene.submit({
    kind: 'contractCreateInstance',
    payer,
    keys: adminKey ? [encodeKey(adminKey)] : [],
    memo: `deploy ${name}`,
    data: {
      ...(file === undefined ? { initcode: initcodeOf(name) } : { fileID: fileId(file) }),
      adminKey,
      gas: toLong(1_500_000n),
      initialBalance: toLong(name === 'Counter' && random.chance(0.5) ? tinybarPerHbar : 0n),
      constructorParameters: encodeValues(constructorValues[name]),
      autoRenewPeriod: duration(random.pick([7_776_000n, 2_592_000n])),
      autoRenewAccountId: random.chance(0.5) ? accountId(payer) : undefined,
      proxyAccountID: random.chance(0.4) ? accountId(payer) : undefined,
      memo: random.chance(0.5) ? name.toLowerCase() : '',
      maxAutomaticTokenAssociations: random.pick([0, 3, -1]),
      ...(random.chance(0.3) ? { stakedNodeId: toLong(0n) } : {}),
    },
  });
  if (status === 'SUCCESS') scene.enlist(roles[name], id);
}

/** A file with hex text, the second half appended where it is long. Returns its id. */
async function uploadBytecode(scene: Scene, name: ContractName): Promise<bigint> {
  const text = Buffer.from(`${scene.random.chance(0.3) ? '0x' : ''}${initcodeOf(name).toString('hex')}`);
  return uploadText(scene, text);
}

export async function uploadText(scene: Scene, text: Buffer): Promise<bigint> {
  const payer = await scene.payer();
  const key = scene.newKey();
  const signed = { payer, keys: [encodeKey(key)] };
  const cut = Math.min(text.length, 2048);
  const expirationTime = { seconds: timestamp(scene.now() + 7_776_000n * nsPerSecond).seconds };
  const { id } = await scene.submit({
    kind: 'fileCreate',
    ...signed,
    data: { contents: text.subarray(0, cut), keys: { keys: [key] }, expirationTime, memo: 'bytecode' },
  });
  if (cut < text.length) {
    await scene.submit({ kind: 'fileAppend', ...signed, data: { fileID: fileId(id), contents: text.subarray(cut) } });
  }
  return id;
}

export async function callContract(scene: Scene): Promise<void> {
  const call = pickCall(scene);
  if (!call) return createContract(scene);
  const { random } = scene;
  await callThrough(scene, call.target, call.data, {
    amount: call.value,
    gas: random.chance(0.05) ? 21_200n + BigInt(call.data.length * 16) : 400_000n,
    payer: call.payer ?? (await scene.payer()),
  });
}

type CallOptions = { amount?: bigint; gas?: bigint; payer: bigint };

export function callThrough(
  scene: Scene,
  target: bigint,
  data: Uint8Array,
  options: CallOptions,
): Promise<SubmitResult> {
  const { amount = 0n, gas = 400_000n, payer } = options;
  return scene.submit({
    kind: 'contractCall',
    payer,
    data: { contractID: contractId(target), gas: toLong(gas), amount: toLong(amount), functionParameters: data },
  });
}

export type PickedCall = { target: bigint; data: Buffer; value?: bigint; payer?: bigint };

/** A call of a contract of the cast, some of which fail. */
export function pickCall(scene: Scene): PickedCall | undefined {
  const { random } = scene;
  const has = (role: Role) => scene.cast(role).length > 0;
  const choice = random.weighted({
    increment: has('counter') ? 5 : 0,
    coin: has('coin') ? 4 : 0,
    tooMuchCoin: has('coin') ? 1 : 0,
    approve: has('coin') ? 2 : 0,
    factory: has('factory') && scene.ledger.tables.accounts.size < 2000 ? 1 : 0,
    reverter: has('reverter') ? 2 : 0,
    deposit: has('vault') ? 2 : 0,
    bump: has('vault') && has('counter') ? 2 : 0,
    tryCall: has('vault') && has('reverter') ? 1 : 0,
    underflow: has('counter') ? 0.5 : 0,
    spin: has('counter') ? 0.3 : 0,
    nothing: 0.001,
  });
  const addressOf = (id: bigint) => Buffer.from(evmAddressOf(scene.account(id)));
  const one = (role: Role) => random.pick(scene.cast(role));
  const user = () => addressOf(one('user'));
  const calls: Record<typeof choice, () => PickedCall | undefined> = {
    nothing: () => undefined,
    increment: () => ({ target: one('counter'), data: encodeCall('Counter', 'increment()') }),
    coin: () => ({
      target: one('coin'),
      data: encodeCall('Coin', 'mint(address,uint256)', [user(), random.amount(1n, 9999n)]),
    }),
    tooMuchCoin: () => ({
      target: one('coin'),
      data: encodeCall('Coin', 'transfer(address,uint256)', [user(), 10n ** 24n]),
    }),
    approve: () => approveCoin(scene, one('coin')),
    factory: () => ({
      target: one('factory'),
      data: random.pick([
        () => encodeCall('Factory', 'create(uint256)', [7n]),
        () => encodeCall('Factory', 'create2(uint256,bytes32)', [8n, random.bytes(32)]),
        () => encodeCall('Factory', 'pair(uint256)', [9n]),
      ])(),
    }),
    reverter: () => ({
      target: one('reverter'),
      data: random.chance(0.4)
        ? encodeCall('Reverter', 'withReason(string)', ['not today'])
        : random.chance(0.5)
          ? encodeCall('Reverter', 'withError(uint256)', [42n])
          : encodeCall('Reverter', 'withNothing()'),
    }),
    deposit: () => ({
      target: one('vault'),
      data: encodeCall('Vault', 'deposit()'),
      value: random.amount(1n, 5n) * tinybarPerHbar,
    }),
    bump: () => ({ target: one('vault'), data: encodeCall('Vault', 'bump(address)', [addressOf(one('counter'))]) }),
    tryCall: () => ({
      target: one('vault'),
      data: encodeCall('Vault', 'tryCall(address,bytes)', [
        addressOf(one('reverter')),
        encodeCall('Reverter', 'withNothing()'),
      ]),
    }),
    underflow: () => ({ target: one('counter'), data: encodeCall('Counter', 'underflow(uint256)', [1n]) }),
    spin: () => ({ target: one('counter'), data: encodeCall('Counter', 'spin()') }),
  };
  return calls[choice]();
}

/** One account changes what it allows another: a slot that appears, changes and disappears. */
export function approveCoin(scene: Scene, target: bigint): PickedCall {
  const { random } = scene;
  const [payer, spender] = scene.cast('user');
  const address = Buffer.from(evmAddressOf(scene.account(spender!)));
  const data = encodeCall('Coin', 'approve(address,uint256)', [address, random.pick([0n, 0n, 5n, 700n])]);
  return { target, data, payer };
}

/** Deposits into a vault and pays out of it to an unused address: a hollow account created by a contract. */
export async function payFromVault(scene: Scene): Promise<void> {
  if (scene.cast('vault').length === 0) return createContract(scene, 'Vault');
  if (scene.isFull('hollow')) return callContract(scene);
  const payer = await scene.payer();
  const vault = scene.random.pick(scene.cast('vault'));
  await callThrough(scene, vault, encodeCall('Vault', 'deposit()'), { payer, amount: 5n * tinybarPerHbar });
  const key = scene.newKey('ECDSA');
  const address = evmAddressOfKey(key.ECDSASecp256k1!);
  const call = encodeCall('Vault', 'pay(address,uint256)', [address, tinybarPerHbar]);
  const { status } = await callThrough(scene, vault, call, {
    payer,
    gas: 900_000n,
  });
  const id = scene.ledger.tables.names.get(Buffer.from(address).toString('hex'));
  if (status === 'SUCCESS' && id !== undefined) enlistHollow(scene, id, key);
}

/** A creation that fails: the constructor reverts, or the gas is not enough. */
export async function failCreation(scene: Scene): Promise<void> {
  const payer = await scene.payer();
  const refuses = scene.random.chance(0.6);
  const file = scene.random.chance(0.3) ? await uploadBytecode(scene, 'Reverter') : undefined;
  await scene.submit({
    kind: 'contractCreateInstance',
    payer,
    data: {
      ...(file === undefined ? { initcode: initcodeOf('Reverter') } : { fileID: fileId(file) }),
      gas: toLong(refuses ? 500_000n : 70_000n),
      constructorParameters: encodeValues([refuses]),
      autoRenewPeriod: duration(7_776_000n),
    },
  });
}

export async function updateContract(scene: Scene): Promise<void> {
  const id = pickContract(scene, scene.random.chance(0.85));
  if (id === undefined) return createContract(scene);
  const what = scene.random.weighted({ memo: 2, staking: 1, automatic: 1, expiration: 1 });
  const changes = {
    memo: { memoWrapper: { value: 'updated contract' } },
    staking: { stakedNodeId: toLong(1n), declineReward: { value: true } },
    automatic: { maxAutomaticTokenAssociations: { value: 12 } },
    expiration: { expirationTime: { seconds: timestamp(scene.now() + 9_000_000n * nsPerSecond).seconds } },
  }[what];
  const keys = isMutable(scene, id) ? [scene.account(id).key] : [];
  await scene.submit({
    kind: 'contractUpdateInstance',
    payer: await scene.payer(),
    keys,
    data: { contractID: contractId(id), ...changes },
  });
}

export async function deleteContract(scene: Scene): Promise<void> {
  const { random } = scene;
  const id = scene.pickVictim(fittingContracts(scene, random.chance(0.8)));
  if (id === undefined) return callContract(scene);
  const permanent = random.chance(0.2);
  const other = pickContract(scene);
  const { status } = await scene.submit({
    kind: 'contractDeleteInstance',
    payer: permanent ? treasury : await scene.payer(),
    keys: isMutable(scene, id) ? [scene.account(id).key] : [],
    data: {
      contractID: contractId(id),
      ...(other !== undefined && other !== id && random.chance(0.4)
        ? { transferContractID: contractId(other) }
        : { transferAccountID: accountId(random.pick(scene.cast('user'))) }),
      permanentRemoval: permanent,
    },
  });
  if (status === 'SUCCESS') for (const role of Object.values(roles)) scene.dismiss(role, id);
}

function pickContract(scene: Scene, mutable?: boolean): bigint | undefined {
  const fitting = fittingContracts(scene, mutable);
  return fitting.length > 0 ? scene.random.pick(fitting) : undefined;
}

function fittingContracts(scene: Scene, mutable?: boolean): bigint[] {
  const ids = Object.values(roles).flatMap((role) => scene.cast(role));
  return mutable === undefined ? ids : ids.filter((id) => isMutable(scene, id) === mutable);
}

function isMutable(scene: Scene, id: bigint): boolean {
  return proto.Key.decode(scene.account(id).key).key !== 'contractID';
}
