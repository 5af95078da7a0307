// Accounts: kinds of keys, aliases, hollow accounts, staking, updates, deletion.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { accountId, duration, nsPerSecond, timestamp, tinybarPerHbar, toLong } from '../ledger/hapi-values.ts';
import { encodeKey, evmAddressOfKey } from '../ledger/signing-keys.ts';
import { treasury } from './genesis.ts';
import type { Scene } from './scene.ts';

const day = 86_400n;
const memos = ['', 'savings', 'merchant #7', 'Ünïcödé ✓', '🪞 mirror, mirror 🌍', 'line one\nline two'];

export async function createUser(scene: Scene): Promise<void> {
  const { random } = scene;
  const form = random.weighted({ ed25519: 4, ecdsa: 2, evmAlias: 3, keyAlias: 1, threshold: 1, list: 1 });
  const primitive = scene.newKey(
    form === 'ed25519'
      ? 'ED25519'
      : form === 'keyAlias' || form === 'evmAlias' || form === 'ecdsa'
        ? 'ECDSA'
        : undefined,
  );
  const others = [scene.newKey(), scene.newKey()];
  const key: proto.IKey =
    form === 'threshold'
      ? { thresholdKey: { threshold: 2, keys: { keys: [primitive, ...others] } } }
      : form === 'list'
        ? { keyList: { keys: [primitive, { keyList: { keys: others.slice(1) } }] } }
        : primitive;
  const alias =
    form === 'evmAlias'
      ? evmAddressOfKey(primitive.ECDSASecp256k1!)
      : form === 'keyAlias'
        ? encodeKey(primitive)
        : undefined;
  if (alias && scene.ledger.tables.names.has(Buffer.from(alias).toString('hex'))) return;
  const receiverSigRequired = random.chance(0.08);
  const isUrgent = random.chance(0.15);
  const { status, id } = await scene.submit({
    kind: 'cryptoCreateAccount',
    payer: treasury,
    keys: receiverSigRequired ? [encodeKey(key)] : [],
    memo: random.pick(memos),
    highVolumeMultiplier: isUrgent ? random.pick([1000n, 1250n, 4000n]) : undefined,
    data: {
      key,
      alias,
      initialBalance: toLong(random.amount(5000n, 50_000n) * tinybarPerHbar + random.amount(0n, 99_999_999n)),
      autoRenewPeriod: duration(random.pick([30n, 90n, 92n]) * day),
      memo: random.pick(memos),
      maxAutomaticTokenAssociations: random.pick([0, 5, 10, -1]),
      receiverSigRequired,
      ...randomStaking(scene),
      declineReward: random.chance(0.15),
    },
  });
  if (status !== 'SUCCESS') return;
  scene.enlist('user', id);
  if (form === 'evmAlias' && !scene.isFull('ethereumUser')) scene.enlist('ethereumUser', id);
}

/** hbar sent to an unused EVM address or to a key alias creates an account. */
export async function sendToUnknown(scene: Scene): Promise<void> {
  const payer = await scene.payer();
  if (scene.isFull('hollow')) return completeHollow(scene);
  const hollow = scene.random.chance(0.7);
  const key = scene.newKey(hollow ? 'ECDSA' : 'ED25519');
  const alias = hollow ? evmAddressOfKey(key.ECDSASecp256k1!) : encodeKey(key);
  if (scene.ledger.tables.names.has(Buffer.from(alias).toString('hex'))) return;
  const amount = scene.random.amount(1n, 500n) * tinybarPerHbar;
  const { status } = await scene.submit({
    kind: 'cryptoTransfer',
    payer,
    data: {
      transfers: {
        accountAmounts: [
          { accountID: accountId(payer), amount: toLong(-amount) },
          { accountID: { alias }, amount: toLong(amount) },
        ],
      },
    },
  });
  if (status !== 'SUCCESS') return;
  const id = scene.ledger.tables.names.get(Buffer.from(alias).toString('hex'))!;
  if (hollow) enlistHollow(scene, id, key);
  else scene.enlist('user', id);
}

export function enlistHollow(scene: Scene, id: bigint, key: proto.IKey): void {
  scene.enlist('hollow', id);
  scene.ledger.put('hollowKeys', id, Buffer.from(key.ECDSASecp256k1!).toString('hex'));
}

/** The first transaction that a hollow account pays completes it. */
export async function completeHollow(scene: Scene): Promise<void> {
  const id = scene.cast('hollow').find((hollow) => scene.account(hollow).balance > tinybarPerHbar);
  if (id === undefined) return scene.isFull('hollow') ? updateUser(scene) : sendToUnknown(scene);
  const publicKey = scene.ledger.tables.hollowKeys.get(id);
  scene.dismiss('hollow', id);
  if (!publicKey) return;
  scene.ledger.remove('hollowKeys', id);
  const amount = toLong(1n);
  await scene.submit({
    kind: 'cryptoTransfer',
    payer: id,
    keys: [encodeKey({ ECDSASecp256k1: Buffer.from(publicKey, 'hex') })],
    data: {
      transfers: {
        accountAmounts: [
          { accountID: accountId(id), amount: amount.neg() },
          { accountID: accountId(98n), amount },
        ],
      },
    },
  });
  if (scene.isFull('ethereumUser')) return;
  scene.enlist('user', id);
  scene.enlist('ethereumUser', id);
}

export async function updateUser(scene: Scene): Promise<void> {
  const { random } = scene;
  const id = await scene.payer();
  const data: proto.ICryptoUpdateTransactionBody = { accountIDToUpdate: accountId(id) };
  const further: Uint8Array[] = [];
  const what = random.weighted({ memo: 3, staking: 4, automatic: 2, key: 1, decline: 2, expiration: 1, receiver: 1 });
  if (what === 'memo') data.memo = { value: random.pick(memos) };
  if (what === 'staking') Object.assign(data, randomStaking(scene, true));
  if (what === 'automatic') data.maxAutomaticTokenAssociations = { value: random.pick([-1, 50]) };
  if (what === 'decline') data.declineReward = { value: random.chance(0.5) };
  if (what === 'receiver') data.receiverSigRequiredWrapper = { value: false };
  if (what === 'expiration')
    data.expirationTime = { seconds: timestamp(scene.now() + 90n * day * nsPerSecond).seconds };
  if (what === 'key' && !scene.cast('ethereumUser').includes(id)) {
    data.key = scene.newKey();
    further.push(encodeKey(data.key));
  }
  await scene.submit({ kind: 'cryptoUpdateAccount', payer: id, keys: further, data });
}

export async function deleteUser(scene: Scene): Promise<void> {
  const users = scene.cast('user');
  const [chosen, heir] = scene.random.pair(users) ?? [];
  const others = users.filter((user) => user !== heir);
  const id = chosen === undefined ? undefined : scene.victimFrom(others, others.indexOf(chosen));
  if (id === undefined || heir === undefined || scene.cast('user').length < 30) return createUser(scene);
  const { status } = await scene.submit({
    kind: 'cryptoDelete',
    payer: heir,
    signers: [id],
    data: { deleteAccountID: accountId(id), transferAccountID: accountId(heir) },
  });
  if (status !== 'SUCCESS') return;
  scene.dismiss('user', id);
  scene.dismiss('ethereumUser', id);
}

function randomStaking(
  scene: Scene,
  canStop = false,
): Pick<proto.ICryptoCreateTransactionBody, 'stakedNodeId' | 'stakedAccountId'> {
  const { random } = scene;
  const choice = random.weighted({
    none: canStop ? 0 : 3,
    node: 3,
    account: 1,
    stopNode: canStop ? 1 : 0,
    stopAccount: canStop ? 1 : 0,
  });
  if (choice === 'node') return { stakedNodeId: toLong(BigInt(random.below(3))) };
  if (choice === 'account') {
    const users = scene.cast('user');
    return { stakedAccountId: accountId(users.length > 0 ? random.pick(users) : 2n) };
  }
  if (choice === 'stopNode') return { stakedNodeId: toLong(-1n) };
  return choice === 'stopAccount' ? { stakedAccountId: accountId(0n) } : {};
}
