// Every scenario, in the proportions of a busy network.

import * as accounts from './accounts.ts';
import * as administration from './administration.ts';
import * as airdrops from './airdrops.ts';
import * as batches from './batches.ts';
import { collect } from './collections.ts';
import * as contracts from './contracts.ts';
import * as ethereum from './ethereum.ts';
import * as failures from './failures.ts';
import * as filesAndTopics from './files-and-topics.ts';
import * as hooks from './hooks.ts';
import * as network from './network-affairs.ts';
import type { Scene } from './scene.ts';
import * as schedules from './schedules.ts';
import * as tokens from './tokens.ts';
import * as transfers from './transfers.ts';

type Scenario = (scene: Scene) => Promise<void>;

/** Weight and scenario. */
const mix: Record<string, [number, Scenario]> = {
  transferHbar: [10, transfers.transferHbar],
  transferToken: [10, transfers.transferToken],
  transferNft: [5, transfers.transferNft],
  useAllowance: [4, transfers.useAllowance],
  createUser: [
    2,
    (scene) => (scene.cast('user').length < 120 ? accounts.createUser(scene) : accounts.updateUser(scene)),
  ],
  sendToUnknown: [
    2,
    (scene) => (scene.cast('user').length < 150 ? accounts.sendToUnknown(scene) : transfers.transferHbar(scene)),
  ],
  completeHollow: [1, accounts.completeHollow],
  updateUser: [4, accounts.updateUser],
  deleteUser: [0.5, accounts.deleteUser],
  createToken: [1.5, tokens.createToken],
  associateToken: [5, tokens.associateToken],
  dissociateToken: [2, tokens.dissociateToken],
  mintOrBurn: [5, tokens.mintOrBurn],
  wipe: [1.5, tokens.wipe],
  freezeOrKyc: [3, tokens.freezeOrKyc],
  pauseAndUnpause: [1, tokens.pauseAndUnpause],
  updateToken: [3, tokens.updateToken],
  updateFeeSchedule: [2, tokens.updateFeeSchedule],
  updateNftMetadata: [1, tokens.updateNftMetadata],
  deleteToken: [0.4, tokens.deleteToken],
  airdrop: [3, airdrops.airdrop],
  settleAirdrop: [2, airdrops.settleAirdrop],
  createContract: [1.5, contracts.createContract],
  callContract: [9, contracts.callContract],
  payFromVault: [1, contracts.payFromVault],
  failCreation: [0.7, contracts.failCreation],
  updateContract: [1, contracts.updateContract],
  deleteContract: [0.3, contracts.deleteContract],
  ethereumCall: [6, ethereum.ethereumCall],
  ethereumTransfer: [2, ethereum.ethereumTransfer],
  ethereumCreate: [0.8, ethereum.ethereumCreate],
  ethereumWrongNonce: [0.8, ethereum.ethereumWrongNonce],
  createSchedule: [4, schedules.createSchedule],
  signSchedule: [4, schedules.signSchedule],
  deleteSchedule: [0.7, schedules.deleteSchedule],
  workOnFile: [1.5, filesAndTopics.workOnFile],
  createTopic: [0.7, filesAndTopics.createTopic],
  submitMessage: [6, filesAndTopics.submitMessage],
  updateTopic: [0.5, filesAndTopics.updateTopic],
  drawRandom: [0.6, network.drawRandom],
  sendBatch: [2, batches.sendBatch],
  workOnNodes: [0.6, network.workOnNodes],
  workOnRegisteredNodes: [0.3, network.workOnRegisteredNodes],
  workOnHooks: [1.2, hooks.workOnHooks],
  transferByHook: [1, hooks.transferByHook],
  changeGasPrice: [0.1, network.changeGasPrice],
  announceFreeze: [0.1, administration.announceFreeze],
  deleteBySystem: [0.2, administration.deleteBySystem],
  submitUnchecked: [0.1, administration.submitUnchecked],
  workOnLiveHash: [0.1, administration.workOnLiveHash],
  exchangeMessages: [0.8, administration.exchangeMessages],
  publishLedgerId: [0.05, administration.publishLedgerId],
  failSomehow: [3, failures.failSomehow],
  failToPay: [0.2, failures.failToPay],
};
const weights = Object.fromEntries(Object.entries(mix).map(([name, [weight]]) => [name, weight]));
/** Where there are collections; without them the same blocks are made as before there were any. */
const collecting = 1.5;

export async function playDemo(scene: Scene): Promise<void> {
  const isCollecting = scene.cast('badges').length > 0;
  const choice = scene.random.weighted(isCollecting ? { ...weights, collect: collecting } : weights);
  await (choice === 'collect' ? collect(scene) : mix[choice]![1](scene));
}
