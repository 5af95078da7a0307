// Transactions that the network refuses, for many reasons; each leaves a record with its fee and nothing else.
import {
  accountId,
  contractId,
  nsPerSecond,
  timestamp,
  tinybarPerHbar,
  tokenId,
  toLong,
} from '../ledger/hapi-values.ts';
import type { Scene } from './scene.ts';
import { debitAndCredits } from './transfers.ts';

const unused = 999_999_999n;

export async function failSomehow(scene: Scene): Promise<void> {
  const { random } = scene;
  const payer = await scene.payer();
  const pair = random.pair(scene.cast('user').filter((id) => id !== payer));
  if (!pair) return;
  const [owner, other] = pair;
  const failures: (() => Promise<unknown>)[] = [
    // hbar of another account without its signature.
    () => transfer(scene, payer, debitAndCredits(owner, [{ id: other, amount: tinybarPerHbar }])),
    // More than the balance.
    () => transfer(scene, payer, debitAndCredits(payer, [{ id: owner, amount: scene.account(payer).balance * 3n }])),
    () => transfer(scene, payer, debitAndCredits(payer, [{ id: unused, amount: 1n }])),
    // An allowance that was never given.
    () => transfer(scene, payer, debitAndCredits(owner, [{ id: payer, amount: 1n }], true)),
    () =>
      scene.submit({ kind: 'tokenAssociate', payer, data: { account: accountId(payer), tokens: [tokenId(unused)] } }),
    () =>
      scene.submit({ kind: 'contractCall', payer, data: { contractID: contractId(unused), gas: toLong(100_000n) } }),
    () => scene.submit({ kind: 'tokenCreation', payer, data: { name: '', symbol: 'X', treasury: accountId(payer) } }),
    () =>
      scene.submit({
        kind: 'cryptoUpdateAccount',
        payer,
        data: { accountIDToUpdate: accountId(payer), stakedNodeId: toLong(77n) },
      }),
    () =>
      scene.submit({
        kind: 'cryptoUpdateAccount',
        payer,
        data: { accountIDToUpdate: accountId(payer), expirationTime: { seconds: timestamp(nsPerSecond).seconds } },
      }),
    () => scene.submit({ kind: 'freeze', payer, data: { freezeType: 1 } }),
  ];
  await random.pick(failures)();
}

/** The payer has no balance: not even the fee is paid. */
export async function failToPay(scene: Scene): Promise<void> {
  if (scene.isFull('hollow')) return failSomehow(scene);
  const key = scene.newKey();
  const { status, id } = await scene.submit({ kind: 'cryptoCreateAccount', payer: await scene.payer(), data: { key } });
  if (status !== 'SUCCESS') return;
  await transfer(scene, id, debitAndCredits(id, [{ id: 98n, amount: 1n }]));
}

function transfer(scene: Scene, payer: bigint, accountAmounts: ReturnType<typeof debitAndCredits>) {
  return scene.submit({ kind: 'cryptoTransfer', payer, data: { transfers: { accountAmounts } } });
}
