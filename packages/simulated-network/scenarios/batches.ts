// Atomic batches (HIP-551): two to five inner transactions that succeed together or not at all, and change the same
// state more than once in a unit: slots, supply, messages, accounts that are created on the way.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { encodeCall } from '../evm/artifacts.ts';
import { accountId, contractId, tinybarPerHbar, tokenId, toLong, topicId } from '../ledger/hapi-values.ts';
import { encodeKey, evmAddressOfKey } from '../ledger/signing-keys.ts';
import type { Submission } from '../run/submission.ts';
import type { Bodies, SubmittedKind } from '../transactions/handlers.ts';
import { enlistHollow } from './accounts.ts';
import { approveCoin, pickCall } from './contracts.ts';
import { treasury } from './genesis.ts';
import type { Scene } from './scene.ts';
import { pickToken } from './tokens.ts';
import { debitAndCredits, relationsOf, transferHbar } from './transfers.ts';

type Inner = Pick<Submission, 'data' | 'kind' | 'keys' | 'signers'> & { payer?: bigint };
/** null if the scene lacks something that it needs. */
type MakeInner = (scene: Scene, payer: bigint, batch: BatchCast) => Inner | null;
/** What several inner transactions of one batch work on. */
type BatchCast = { topic?: bigint; counter?: bigint; token?: bigint; hollowKey?: proto.IKey };

/** Weight and maker. */
const innerKinds: Record<string, [number, MakeInner]> = {
  transfer: [3, transfer],
  message: [4, sendMessage],
  count: [3, count],
  approve: [2, approve],
  call: [2, callAnything],
  mint: [3, mint],
  airdrop: [1, airdrop],
  payUnknown: [1, payUnknown],
  createAccount: [1, createAccount],
  createTopic: [0.5, (_scene, _payer) => inner('consensusCreateTopic', { memo: 'of a batch' })],
  createFile: [0.5, (scene) => inner('fileCreate', { contents: scene.random.bytes(20), memo: 'of a batch' })],
};
const weights = Object.fromEntries(Object.entries(innerKinds).map(([name, [weight]]) => [name, weight]));
const innerGas = 900_000n;

export async function sendBatch(scene: Scene): Promise<void> {
  const { random } = scene;
  const payer = await scene.payer();
  const batchKey = scene.newKey();
  const payers = scene.cast('user').filter((id) => {
    const { receiverSigRequired, balance, deleted } = scene.account(id);
    return id !== payer && !receiverSigRequired && !deleted && balance > 20n * tinybarPerHbar;
  });
  if (payers.length < 2) return transferHbar(scene);
  const cast: BatchCast = { topic: pickTopic(scene), counter: pickOne(scene, scene.cast('counter')) };
  cast.token = pickToken(scene, 'supply')?.id;
  const count = random.integer(2, 5);
  const failing = random.chance(0.3) ? random.below(count) : -1;
  const transactions = Array.from({ length: count }, (_, index) => {
    const sender = random.pick(payers);
    const chosen = index === failing ? fail(scene, sender) : choose(scene, sender, cast);
    // Each has a different valid start, so that one account may pay for several.
    return scene.sign({ payer: sender, ...chosen, batchKey, batchPosition: index + 1, memo: `inner ${index}` });
  });
  const { status } = await scene.submit({
    kind: 'atomicBatch',
    payer,
    keys: [encodeKey(batchKey)],
    data: { transactions },
  });
  const address = cast.hollowKey && evmAddressOfKey(cast.hollowKey.ECDSASecp256k1!);
  const hollow = address && scene.ledger.tables.names.get(Buffer.from(address).toString('hex'));
  if (status === 'SUCCESS' && hollow !== undefined) enlistHollow(scene, hollow, cast.hollowKey!);
}

function choose(scene: Scene, payer: bigint, cast: BatchCast): Inner {
  return innerKinds[scene.random.weighted(weights)]![1](scene, payer, cast) ?? transfer(scene, payer);
}

/**
 * What an inner transaction fails for. A contract that reverts has a result though the batch is undone, others have
 * none.
 */
const failures = { contractReverts: 2, overdraft: 1, unsignedCreation: 1 };

function fail(scene: Scene, payer: bigint): Inner {
  const reverter = pickOne(scene, scene.cast('reverter'));
  const failure = reverter === undefined ? 'overdraft' : scene.random.weighted(failures);
  if (failure === 'contractReverts') {
    return contractCall(reverter!, encodeCall('Reverter', 'withReason(string)', ['not in a batch']));
  }
  return failure === 'overdraft' ? hbarTransfer(payer, scene.account(payer).balance * 2n) : createUnsigned(reverter!);
}

/** A contract whose administrator has not signed: refused before the code is looked at. */
function createUnsigned(administrator: bigint): Inner {
  const adminKey = { contractID: contractId(administrator) };
  return inner('contractCreateInstance', { adminKey, initcode: Buffer.of(0), gas: toLong(innerGas) });
}

function transfer(scene: Scene, payer: bigint): Inner {
  return hbarTransfer(payer, scene.random.amount(1n, tinybarPerHbar));
}

function hbarTransfer(payer: bigint, amount: bigint): Inner {
  const transfers = { accountAmounts: debitAndCredits(payer, [{ id: treasury, amount }]) };
  return inner('cryptoTransfer', { transfers });
}

function sendMessage(scene: Scene, _payer: bigint, { topic }: BatchCast): Inner | null {
  if (topic === undefined) return null;
  const { submitKey } = scene.ledger.tables.topics.get(topic)!;
  const message = Buffer.from(`in one go ${scene.random.below(1000)}`);
  return inner('consensusSubmitMessage', { topicID: topicId(topic), message }, { keys: submitKey ? [submitKey] : [] });
}

function count(_scene: Scene, _payer: bigint, { counter }: BatchCast): Inner | null {
  return counter === undefined ? null : contractCall(counter, encodeCall('Counter', 'increment()'));
}

function approve(scene: Scene): Inner | null {
  const coin = scene.cast('coin')[0];
  if (coin === undefined) return null;
  const { target, data, payer } = approveCoin(scene, coin);
  return { ...contractCall(target, data), payer };
}

function callAnything(scene: Scene): Inner | null {
  const call = pickCall(scene);
  return call ? contractCall(call.target, call.data, call.value) : null;
}

function contractCall(target: bigint, functionParameters: Uint8Array, amount = 0n): Inner {
  const gas = toLong(innerGas);
  return inner('contractCall', { contractID: contractId(target), gas, amount: toLong(amount), functionParameters });
}

function mint(scene: Scene, _payer: bigint, { token: id }: BatchCast): Inner | null {
  const token = id === undefined ? undefined : scene.ledger.tables.tokens.get(id);
  if (!token) return null;
  const units = token.nonFungible
    ? { metadata: [Buffer.from('#1 of a batch'), Buffer.from('#2 of a batch')] }
    : { amount: toLong(scene.random.amount(1n, 500n)) };
  return inner('tokenMint', { token: tokenId(token.id), ...units }, { keys: [token.keys.supply!] });
}

function airdrop(scene: Scene): Inner | null {
  const token = pickOne(scene, scene.cast('fungible'));
  const receiver = scene.random.pick(scene.cast('user'));
  const holder =
    token === undefined
      ? undefined
      : relationsOf(scene, token).find(({ balance, account }) => balance > 100n && account !== receiver);
  if (!holder) return null;
  const transfers = debitAndCredits(holder.account, [{ id: receiver, amount: 3n }]);
  const tokenTransfers = [{ token: tokenId(holder.token), transfers }];
  return inner('tokenAirdrop', { tokenTransfers }, { signers: [holder.account] });
}

/** To an unused address: the record of the new account comes before that of the transfer. */
function payUnknown(scene: Scene, payer: bigint, cast: BatchCast): Inner | null {
  if (cast.hollowKey || scene.isFull('hollow')) return null;
  const key = scene.newKey('ECDSA');
  const alias = evmAddressOfKey(key.ECDSASecp256k1!);
  if (scene.ledger.tables.names.has(Buffer.from(alias).toString('hex'))) return null;
  cast.hollowKey = key;
  const amount = tinybarPerHbar;
  const accountAmounts = [
    { accountID: accountId(payer), amount: toLong(-amount) },
    { accountID: { alias }, amount: toLong(amount) },
  ];
  return inner('cryptoTransfer', { transfers: { accountAmounts } });
}

function createAccount(scene: Scene): Inner {
  return inner('cryptoCreateAccount', { key: scene.newKey(), initialBalance: toLong(7n), memo: 'of a batch' });
}

function pickTopic(scene: Scene): bigint | undefined {
  const { topics } = scene.ledger.tables;
  const free = scene.cast('topic').filter((id) => topics.get(id)!.customFees.length === 0);
  return pickOne(scene, free);
}

function pickOne(scene: Scene, ids: readonly bigint[]): bigint | undefined {
  return ids.length > 0 ? scene.random.pick(ids) : undefined;
}

function inner<K extends SubmittedKind>(kind: K, data: Bodies[K], more: Pick<Inner, 'keys' | 'signers'> = {}): Inner {
  return { kind, data, ...more };
}
