// Tokens from creation to deletion: kinds, keys, custom fees, supply, associations, freeze, KYC, pause, airdrops.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { emptyKeyList } from '../ledger/blank-account.ts';
import { accountId, duration, nsPerSecond, timestamp, tinybarPerHbar, tokenId, toLong } from '../ledger/hapi-values.ts';
import type { Token, TokenKeyName } from '../ledger/ledger.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import { writeCustomFees } from '../transactions/token-create.ts';
import type { Scene } from './scene.ts';
import { relationsOf, transferHbar } from './transfers.ts';

const keyNames = [
  'adminKey',
  'kycKey',
  'freezeKey',
  'wipeKey',
  'supplyKey',
  'feeScheduleKey',
  'pauseKey',
  'metadataKey',
] as const;
const names = ['Mirror Dollar', 'Silver Grain', 'Café Points', 'Lunar Ticket', 'Carbon Note', 'Glass Bead 🔮'];

export async function createToken(scene: Scene, wanted?: { nonFungible?: boolean; plain?: boolean }): Promise<void> {
  const { random } = scene;
  const nonFungible = wanted?.nonFungible ?? random.chance(0.4);
  if (scene.isFull(nonFungible ? 'nonFungible' : 'fungible')) return retireToken(scene, nonFungible);
  const treasury = await scene.payer();
  const keySet = random.weighted({ all: 3, some: 3, none: wanted?.plain ? 0 : 1 });
  const keyed = keyNames.filter((name) => {
    if (wanted?.plain)
      return name === 'adminKey' || name === 'supplyKey' || name === 'feeScheduleKey' || name === 'metadataKey';
    return keySet === 'all' || (name === 'supplyKey' && nonFungible) || (keySet === 'some' && random.chance(0.5));
  });
  const ownKeys = Object.fromEntries(
    keyed.map((name) => [name, random.chance(0.3) ? scene.newKey() : accountKey(scene, treasury)]),
  );
  const finite = random.chance(0.5);
  const initialSupply =
    nonFungible || (ownKeys.supplyKey && random.chance(0.2)) ? 0n : random.amount(10_000n, 1_000_000_000n);
  const name = random.pick(names);
  const { status, id } = await scene.submit({
    kind: 'tokenCreation',
    payer: treasury,
    keys: [ownKeys.adminKey].flatMap((key) => (key ? [encodeKey(key)] : [])),
    memo: random.pick(['', 'new token']),
    data: {
      name,
      symbol: name.replaceAll(/[^A-Z]/g, '') || 'TOK',
      decimals: nonFungible ? 0 : random.pick([0, 2, 6, 8]),
      initialSupply: toLong(initialSupply),
      treasury: accountId(treasury),
      ...ownKeys,
      freezeDefault: Boolean(ownKeys.freezeKey) && random.chance(0.2),
      ...(random.chance(0.8)
        ? { autoRenewAccount: accountId(treasury), autoRenewPeriod: duration(7_776_000n) }
        : { expiry: { seconds: timestamp(scene.now() + 7_776_000n * nsPerSecond).seconds } }),
      memo: random.pick(['', 'for tests and demos', 'ab🜁']),
      tokenType: nonFungible ? 1 : 0,
      supplyType: finite ? 1 : 0,
      maxSupply: toLong(finite ? initialSupply + 10_000_000n : 0n),
      metadata: random.chance(0.5) ? Buffer.from('ipfs://QmMirror') : undefined,
      customFees: randomFees(scene, nonFungible, treasury),
    },
  });
  if (status === 'SUCCESS') scene.enlist(nonFungible ? 'nonFungible' : 'fungible', id);
}

function accountKey(scene: Scene, id: bigint): proto.IKey {
  const { keys } = scene.ledger.tables;
  const publicKey = [...keys.keys()].find((candidate) =>
    Buffer.from(scene.account(id).key).includes(Buffer.from(candidate, 'hex')),
  );
  if (!publicKey) return scene.newKey();
  const bytes = Buffer.from(publicKey, 'hex');
  return keys.get(publicKey)!.kind === 'ED25519' ? { ed25519: bytes } : { ECDSASecp256k1: bytes };
}

/** Collectors are the treasury, which is associated with its token from the start. */
function randomFees(scene: Scene, nonFungible: boolean, collector: bigint): proto.ICustomFee[] {
  const { random } = scene;
  const fees: proto.ICustomFee[] = [];
  const shared = () => ({ feeCollectorAccountId: accountId(collector), allCollectorsAreExempt: random.chance(0.3) });
  if (random.chance(0.35))
    fees.push({ ...shared(), fixedFee: { amount: toLong(random.amount(1n, 5n) * (tinybarPerHbar / 10n)) } });
  if (!nonFungible && random.chance(0.25)) {
    fees.push({ ...shared(), fixedFee: { amount: toLong(1n), denominatingTokenId: tokenId(0n) } });
  }
  const held = scene.cast('fungible').find((token) => scene.ledger.tables.relations.has(`${collector}:${token}`));
  const denominatingTokenId = held === undefined ? undefined : tokenId(held);
  if (held !== undefined && random.chance(0.2)) {
    fees.push({ ...shared(), fixedFee: { amount: toLong(random.amount(1n, 3n)), denominatingTokenId } });
  }
  if (!nonFungible && random.chance(0.35)) {
    const maximumAmount = random.chance(0.5) ? toLong(random.pick([500n, 2_000n])) : undefined;
    const minimumAmount = toLong(random.pick([0n, 0n, 2n]));
    const [numerator, denominator] = random.pick([
      [1n, 20n],
      [1n, 100n],
      [3n, 1000n],
    ] as const);
    const fractionalAmount = { numerator: toLong(numerator), denominator: toLong(denominator) };
    fees.push({
      ...shared(),
      fractionalFee: { fractionalAmount, minimumAmount, maximumAmount, netOfTransfers: random.chance(0.4) },
    });
  }
  if (nonFungible && random.chance(0.6)) {
    const inToken = random.chance(0.3) && denominatingTokenId;
    const fallbackFee = random.chance(0.6)
      ? inToken
        ? { amount: toLong(2n), denominatingTokenId }
        : { amount: toLong(tinybarPerHbar) }
      : undefined;
    const exchangeValueFraction = {
      numerator: toLong(random.pick([1n, 3n])),
      denominator: toLong(random.pick([10n, 40n])),
    };
    fees.push({ ...shared(), royaltyFee: { exchangeValueFraction, fallbackFee } });
  }
  return fees;
}

export async function associateToken(scene: Scene): Promise<void> {
  const account = await scene.payer();
  const tokens = [...scene.cast('fungible'), ...scene.cast('nonFungible')].filter(
    (token) => !scene.ledger.tables.relations.has(`${account}:${token}`),
  );
  if (tokens.length === 0) return dissociateToken(scene);
  await scene.submit({
    kind: 'tokenAssociate',
    payer: account,
    data: { account: accountId(account), tokens: tokens.slice(0, scene.random.integer(1, 3)).map(tokenId) },
  });
}

export async function dissociateToken(scene: Scene): Promise<void> {
  const account = await scene.payer();
  const relation = [...scene.ledger.tables.relations.values()].find(
    ({ account: holder, balance, token }) =>
      holder === account && (balance === 0n || scene.ledger.tables.tokens.get(token)?.deleted),
  );
  if (!relation) return transferHbar(scene);
  const data = { account: accountId(account), tokens: [tokenId(relation.token)] };
  await scene.submit({ kind: 'tokenDissociate', payer: account, data });
}

export async function mintOrBurn(scene: Scene): Promise<void> {
  const { random } = scene;
  const token = pickToken(scene, 'supply');
  if (!token) return createToken(scene);
  const signed = { payer: await scene.payer(), keys: [token.keys.supply!] };
  const supply = token.nonFungible ? Number(token.totalSupply) : 0;
  if (random.chance(token.nonFungible ? (supply > 40 ? 0.1 : 0.8) : 0.6)) {
    const metadata = Array.from({ length: random.integer(1, 4) }, (_, index) =>
      Buffer.from(`#${token.nextSerial + BigInt(index)}`),
    );
    const amount = toLong(random.amount(1n, 50_000n));
    const data = token.nonFungible ? { token: tokenId(token.id), metadata } : { token: tokenId(token.id), amount };
    await scene.submit({ kind: 'tokenMint', ...signed, data });
    return;
  }
  const owned = token.nonFungible ? serialsOf(scene, token, token.treasury).slice(0, 2) : [];
  const held = scene.ledger.tables.relations.get(`${token.treasury}:${token.id}`)?.balance ?? 0n;
  await scene.submit({
    kind: 'tokenBurn',
    ...signed,
    data: token.nonFungible
      ? { token: tokenId(token.id), serialNumbers: owned.map(toLong) }
      : { token: tokenId(token.id), amount: toLong(held / 100n) },
  });
}

export async function wipe(scene: Scene): Promise<void> {
  const token = pickToken(scene, 'wipe');
  const holder =
    token && relationsOf(scene, token.id).find(({ account, balance }) => account !== token.treasury && balance > 0n);
  if (!token || !holder) return mintOrBurn(scene);
  const whole = { token: tokenId(token.id), account: accountId(holder.account) };
  await scene.submit({
    kind: 'tokenWipe',
    payer: await scene.payer(),
    keys: [token.keys.wipe!],
    data: token.nonFungible
      ? { ...whole, serialNumbers: serialsOf(scene, token, holder.account).slice(0, 1).map(toLong) }
      : { ...whole, amount: toLong(1n) },
  });
}

/** Freezes an account, mostly for a moment, or changes its KYC. */
export async function freezeOrKyc(scene: Scene): Promise<void> {
  const kyc = scene.random.chance(0.6);
  const token = pickToken(scene, kyc ? 'kyc' : 'freeze');
  const relation = token && scene.random.pick(relationsOf(scene, token.id));
  if (!token || !relation || relation.account === token.treasury) return associateToken(scene);
  const data = { token: tokenId(token.id), account: accountId(relation.account) };
  const kind = kyc
    ? relation.kycGranted && scene.random.chance(0.2)
      ? 'tokenRevokeKyc'
      : 'tokenGrantKyc'
    : relation.frozen
      ? 'tokenUnfreeze'
      : 'tokenFreeze';
  await scene.submit({ kind, payer: await scene.payer(), keys: [token.keys[kyc ? 'kyc' : 'freeze']!], data });
  if (kind === 'tokenFreeze' && scene.random.chance(0.8)) {
    await scene.submit({ kind: 'tokenUnfreeze', payer: await scene.payer(), keys: [token.keys.freeze!], data });
  }
}

export async function pauseAndUnpause(scene: Scene): Promise<void> {
  const token = pickToken(scene, 'pause');
  if (!token) return createToken(scene);
  const signed = { payer: await scene.payer(), keys: [token.keys.pause!] };
  if (!token.paused) await scene.submit({ kind: 'tokenPause', ...signed, data: { token: tokenId(token.id) } });
  if (token.paused || scene.random.chance(0.8)) {
    await scene.submit({ kind: 'tokenUnpause', ...signed, data: { token: tokenId(token.id) } });
  }
}

export async function updateToken(scene: Scene): Promise<void> {
  const { random } = scene;
  const token = pickToken(scene, 'admin');
  if (!token) return createToken(scene);
  const data: proto.ITokenUpdateTransactionBody = { token: tokenId(token.id) };
  const further: Uint8Array[] = [];
  const signers: bigint[] = [];
  const what = random.weighted({ name: 3, memo: 2, expiry: 1, metadata: 1, removeKey: 1, treasury: 2 });
  if (what === 'name') data.name = `${random.pick(names)} ${random.integer(2, 99)}`;
  if (what === 'memo') data.memo = { value: random.pick(['', 'changed', 'renamed ✨']) };
  if (what === 'expiry') data.expiry = { seconds: timestamp(scene.now() + 8_000_000n * nsPerSecond).seconds };
  if (what === 'metadata') data.metadata = { value: Buffer.from(`v${random.integer(2, 9)}`) };
  // A removed key leaves an empty list behind.
  if (what === 'removeKey' && token.keys.wipe) data.wipeKey = { keyList: { keys: [] } };
  if (what === 'treasury') {
    const next = random.pick(scene.cast('user'));
    if (next !== token.treasury) {
      data.treasury = accountId(next);
      signers.push(next);
    }
  }
  await scene.submit({
    kind: 'tokenUpdate',
    payer: await scene.payer(),
    keys: [token.keys.admin!, ...further],
    signers,
    data,
  });
}

export async function updateFeeSchedule(scene: Scene): Promise<void> {
  const token = pickToken(scene, 'feeSchedule');
  if (!token) return createToken(scene);
  const keep = scene.random.weighted({ clear: 1, renew: 3, same: 1 });
  const customFees =
    keep === 'clear'
      ? []
      : keep === 'same'
        ? writeCustomFees(token.customFees)
        : randomFees(scene, token.nonFungible, token.treasury);
  await scene.submit({
    kind: 'tokenFeeScheduleUpdate',
    payer: await scene.payer(),
    keys: [token.keys.feeSchedule!],
    data: { tokenId: tokenId(token.id), customFees },
  });
}

export async function updateNftMetadata(scene: Scene): Promise<void> {
  const token = pickToken(scene, 'metadata', true);
  const serials = token ? serialsOf(scene, token, token.treasury) : [];
  if (!token || serials.length === 0) return mintOrBurn(scene);
  await scene.submit({
    kind: 'tokenUpdateNfts',
    payer: await scene.payer(),
    keys: [token.keys.metadata!],
    data: {
      token: tokenId(token.id),
      serialNumbers: serials.slice(0, 2).map(toLong),
      metadata: { value: Buffer.from('polished') },
    },
  });
}

/** Deletes a token of a full cast, to make room for the next. */
async function retireToken(scene: Scene, nonFungible: boolean): Promise<void> {
  const role = nonFungible ? 'nonFungible' : 'fungible';
  const id = scene.pickVictim(tokensWith(scene, 'admin', nonFungible).map((token) => token.id));
  const oldest = scene.victimFrom(scene.cast(role), 0);
  if (oldest !== undefined) scene.dismiss(role, id ?? oldest);
  if (id === undefined) return transferHbar(scene);
  await scene.submit({
    kind: 'tokenDeletion',
    payer: await scene.payer(),
    keys: [scene.ledger.tables.tokens.get(id)!.keys.admin!],
    data: { token: tokenId(id) },
  });
}

export async function deleteToken(scene: Scene): Promise<void> {
  const nonFungible = scene.random.chance(0.4);
  if (scene.cast(nonFungible ? 'nonFungible' : 'fungible').length < 4) return createToken(scene, { nonFungible });
  return retireToken(scene, nonFungible);
}

/** A living token of the cast that has this key. */
export function pickToken(scene: Scene, key: TokenKeyName, nonFungible?: boolean): Token | undefined {
  const tokens = tokensWith(scene, key, nonFungible);
  return tokens.length > 0 ? scene.random.pick(tokens) : undefined;
}

function tokensWith(scene: Scene, key: TokenKeyName, nonFungible?: boolean): Token[] {
  const ids =
    nonFungible === undefined
      ? [...scene.cast('fungible'), ...scene.cast('nonFungible')]
      : scene.cast(nonFungible ? 'nonFungible' : 'fungible');
  return ids.map((id) => scene.ledger.tables.tokens.get(id)!).filter((token) => !token.deleted && hasKey(token, key));
}

function hasKey(token: Token, key: TokenKeyName): boolean {
  const bytes = token.keys[key];
  return bytes !== undefined && Buffer.compare(bytes, emptyKeyList) !== 0;
}

function serialsOf(scene: Scene, token: Token, owner: bigint): bigint[] {
  const serials: bigint[] = [];
  for (let serial = 1n; serial < token.nextSerial; serial++) {
    if (scene.ledger.tables.nfts.get(`${token.id}:${serial}`)?.owner === owner) serials.push(serial);
  }
  return serials;
}
