// Transactions of administrators and nodes, and types that are hardly used any more.

import { accountId, contractId, fileId, nsPerSecond, timestamp, toLong } from '../ledger/hapi-values.ts';
import { toPublicationBody } from '../proofs/publication-body.ts';
import type { Submission } from '../run/submission.ts';
import { createContract } from './contracts.ts';
import { treasury } from './genesis.ts';
import type { Scene } from './scene.ts';

/** Deletes a file or a contract, and usually restores it. */
export async function deleteBySystem(scene: Scene): Promise<void> {
  const { random } = scene;
  const contracts = scene.cast('reverter');
  const isFile = contracts.length === 0 || random.chance(0.6);
  const files = scene.cast('file');
  const id = scene.pickVictim(isFile ? files : contracts);
  if (id === undefined) return createContract(scene, 'Reverter');
  const target = isFile ? { fileID: fileId(id) } : { contractID: contractId(id) };
  const expirationTime = { seconds: timestamp(scene.now() + 86_400n * nsPerSecond).seconds };
  await scene.submit({ kind: 'systemDelete', payer: treasury, data: { ...target, expirationTime } });
  if (random.chance(0.7)) await scene.submit({ kind: 'systemUndelete', payer: treasury, data: target });
  else scene.dismiss(isFile ? 'file' : 'reverter', id);
}

export async function submitUnchecked(scene: Scene): Promise<void> {
  const payer = scene.random.chance(0.7) ? treasury : await scene.payer();
  await scene.submit({ kind: 'uncheckedSubmit', payer, data: { transactionBytes: scene.random.bytes(40) } });
}

export async function workOnLiveHash(scene: Scene): Promise<void> {
  const payer = await scene.payer();
  const hash = scene.random.bytes(48);
  const liveHash = { accountId: accountId(payer), hash, keys: { keys: [] }, duration: { seconds: toLong(86_400n) } };
  await scene.submit({ kind: 'cryptoAddLiveHash', payer, data: { liveHash } });
  const data = { accountOfLiveHash: accountId(payer), liveHashToDelete: hash };
  await scene.submit({ kind: 'cryptoDeleteLiveHash', payer, data });
}

/** Field 1, and nothing in it: a message of CLPR whose fields are unknown here. */
const anyMessage = Buffer.of(0x0a, 0x00);

/** Transactions between nodes: proofs under construction, votes, and those of channels to other ledgers. */
export async function exchangeMessages(scene: Scene): Promise<void> {
  const { random } = scene;
  const messages: Pick<Submission, 'kind' | 'data'>[] = [
    { kind: 'hintsPreprocessingVote', data: {} },
    { kind: 'hintsKeyPublication', data: {} },
    { kind: 'hintsPartialSignature', data: {} },
    { kind: 'historyProofSignature', data: {} },
    { kind: 'historyProofKeyPublication', data: {} },
    { kind: 'historyProofVote', data: {} },
    { kind: 'crsPublication', data: {} },
    { kind: 'migrationRootHashVote', data: { previousWrappedRecordBlockRootHash: random.bytes(48) } },
    { kind: 'clprUpdateLedgerConfiguration', data: anyMessage },
    { kind: 'clprRegisterChannel', data: anyMessage },
    { kind: 'clprCompleteChannel', data: anyMessage },
    { kind: 'clprCloseChannel', data: anyMessage },
    { kind: 'clprSubmitBundle', data: anyMessage },
    { kind: 'clprRedactMessage', data: anyMessage },
    { kind: 'clprRegisterConnector', data: anyMessage },
    { kind: 'clprDeregisterConnector', data: anyMessage },
    { kind: 'clprCompleteConnector', data: anyMessage },
    { kind: 'clprEndpointPublication', data: anyMessage },
  ];
  await scene.submit({ ...random.pick(messages), payer: 3n, synthetic: true } as Submission);
}

/** Again: a new ledger id would be another ledger, whose blocks should not be believed to be of this one. */
export async function publishLedgerId(scene: Scene): Promise<void> {
  const data = toPublicationBody(scene.signer.publication());
  await scene.submit({ kind: 'ledgerIdPublication', payer: treasury, synthetic: true, data });
}

/** In all forms, old and new: at a time, for an upgrade with its file, at hours of the day, aborted. */
export async function announceFreeze(scene: Scene): Promise<void> {
  const { random } = scene;
  const startTime = timestamp(scene.now() + 3600n * nsPerSecond);
  const upgrade = { updateFile: fileId(150n), fileHash: random.bytes(48) };
  const data = random.pick([
    { freezeType: 1, startTime },
    { freezeType: 2, ...upgrade },
    { freezeType: 3, startTime, ...upgrade },
    { freezeType: 5, startTime, ...upgrade },
    { startHour: 3, startMin: 30, endHour: 4, endMin: 15 },
  ]);
  await scene.submit({ kind: 'freeze', payer: treasury, data });
  await scene.submit({ kind: 'freeze', payer: treasury, data: { freezeType: 4 } });
}
