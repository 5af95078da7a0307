// The first blocks after genesis: users, a fungible token, NFTs with an allowance and a pending airdrop, every
// contract, results and a schedule, so that each kind exists from the start.

import { createUser } from './accounts.ts';
import { airdropToPending } from './airdrops.ts';
import { callContract, createContract } from './contracts.ts';
import { ethereumCall } from './ethereum.ts';
import { createTopic } from './files-and-topics.ts';
import type { Scene } from './scene.ts';
import { createSchedule } from './schedules.ts';
import { associateToken, createToken, mintOrBurn } from './tokens.ts';
import { approveForAll, transferToken } from './transfers.ts';

export async function openFirstBlock(scene: Scene): Promise<void> {
  const attempts = 40;
  for (let users = 0; users < 12; users++) await createUser(scene);
  for (let more = 0; more < attempts && scene.cast('ethereumUser').length === 0; more++) await createUser(scene);
  await createToken(scene, { plain: true, nonFungible: false });
  await createContract(scene, 'Counter');
  await callContract(scene);
  await createSchedule(scene);
}

export async function openSecondBlock(scene: Scene): Promise<void> {
  await createToken(scene, { plain: true, nonFungible: true });
  await mintOrBurn(scene);
  for (const name of ['Coin', 'Factory', 'Reverter', 'Vault'] as const) await createContract(scene, name);
  for (let calls = 0; calls < 3; calls++) await callContract(scene);
  await ethereumCall(scene);
  await createTopic(scene);
  for (let users = 0; users < 3; users++) await associateToken(scene);
  await transferToken(scene);
  await approveForAll(scene);
  await airdropToPending(scene);
  await createSchedule(scene);
}
