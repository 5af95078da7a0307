// Ordinary traffic in bulk: a third hbar transfers, a third topic messages, a third token transfers, some contract
// calls. For load, so every step is cheap: payers with one ED25519 key, direct lookups.
import { encodeCall } from '../evm/artifacts.ts';
import { accountId, duration, tinybarPerHbar, tokenId, toLong, topicId } from '../ledger/hapi-values.ts';
import { callThrough } from './contracts.ts';
import { treasury } from './genesis.ts';
import type { Scene } from './scene.ts';
import { debitAndCredits } from './transfers.ts';

const payerCount = 200;
/** One in this many is a contract call. */
const callEvery = 100;

/** The accounts, the token and the topic that bulk transactions use; made once. */
export async function prepareBulk(scene: Scene): Promise<void> {
  const payers: bigint[] = [];
  for (let count = 0; count < payerCount; count++) {
    const key = scene.newKey('ED25519');
    const data = {
      key,
      initialBalance: toLong(500_000n * tinybarPerHbar),
      autoRenewPeriod: duration(7_776_000n),
      maxAutomaticTokenAssociations: -1,
    };
    payers.push((await scene.submit({ kind: 'cryptoCreateAccount', payer: treasury, data })).id);
  }
  const owner = payers[0]!;
  const topic = await scene.submit({ kind: 'consensusCreateTopic', payer: owner, data: { memo: 'load' } });
  const token = await scene.submit({
    kind: 'tokenCreation',
    payer: owner,
    data: {
      name: 'Load',
      symbol: 'LOAD',
      decimals: 2,
      initialSupply: toLong(1_000_000_000_000n),
      treasury: accountId(owner),
      autoRenewAccount: accountId(owner),
      autoRenewPeriod: duration(7_776_000n),
    },
  });
  for (const payer of payers.slice(1)) {
    const transfers = debitAndCredits(owner, [{ id: payer, amount: 1_000_000_000n }]);
    await scene.submit({
      kind: 'cryptoTransfer',
      payer: owner,
      data: { tokenTransfers: [{ token: tokenId(token.id), transfers }] },
    });
  }
  // Not through `enlist`: this cast is not part of the demo's and does not change.
  scene.ledger.put('cast', 'bulk', [topic.id, token.id, ...payers]);
}

export function isBulkPrepared(scene: Scene): boolean {
  return scene.ledger.tables.cast.has('bulk');
}

export async function playBulk(scene: Scene, position: number): Promise<void> {
  const [topic, token, ...payers] = scene.ledger.tables.cast.get('bulk') as [bigint, bigint, ...bigint[]];
  const { random } = scene;
  const from = random.below(payers.length);
  const payer = payers[from]!;
  const receiver = payers[(from + 1 + random.below(payers.length - 1)) % payers.length]!;
  const counters = scene.cast('counter');
  if (position % callEvery === callEvery - 1 && counters.length > 0) {
    await callThrough(scene, random.pick(counters), encodeCall('Counter', 'increment()'), { payer, gas: 120_000n });
    return;
  }
  const amount = random.amount(1n, 1000n);
  if (position % 3 === 0) {
    const data = { transfers: { accountAmounts: debitAndCredits(payer, [{ id: receiver, amount }]) } };
    await scene.submit({ kind: 'cryptoTransfer', payer, data });
  } else if (position % 3 === 1) {
    await scene.submit({
      kind: 'consensusSubmitMessage',
      payer,
      data: { topicID: topicId(topic), message: random.bytes(64) },
    });
  } else {
    const tokenTransfers = [{ token: tokenId(token), transfers: debitAndCredits(payer, [{ id: receiver, amount }]) }];
    await scene.submit({ kind: 'cryptoTransfer', payer, data: { tokenTransfers } });
  }
}
