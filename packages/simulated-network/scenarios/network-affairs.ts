// Rare events: random numbers, nodes that come and go, prices that change.

import type { RegisteredServiceEndpoint, TransactionBody } from '../../protocol/hapi/transaction-body.ts';
import { encodeFeeSchedule } from '../formats/encode-fee-schedule.ts';
import { accountId, fileId, toLong } from '../ledger/hapi-values.ts';
import {
  encodeExchangeRates,
  encodeGasPrices,
  exchangeRateFile,
  feeScheduleFile,
  gasExtra,
  simpleFeesFile,
  systemFileAdmin,
} from '../ledger/prices.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import { simpleFees } from '../ledger/simple-fees.ts';
import { treasury } from './genesis.ts';
import type { Scene } from './scene.ts';

export async function drawRandom(scene: Scene): Promise<void> {
  const range = scene.random.pick([0, 6, 1000, -1]);
  await scene.submit({ kind: 'utilPrng', payer: await scene.payer(), data: { range } });
}

export async function workOnNodes(scene: Scene): Promise<void> {
  const { random } = scene;
  const endpoint = { ipAddressV4: Buffer.of(127, 0, 0, 1), port: 50_211, domainName: '' };
  if (scene.cast('node').length === 0) {
    const data = {
      accountId: accountId(random.pick(scene.cast('user'))),
      description: 'A node that is to come',
      gossipEndpoint: [endpoint],
      serviceEndpoint: [endpoint],
      gossipCaCertificate: random.bytes(32),
      grpcCertificateHash: random.bytes(48),
      adminKey: scene.newKey(),
      declineReward: random.chance(0.3),
      grpcProxyEndpoint: random.chance(0.5) ? { domainName: 'proxy.example', port: 443 } : undefined,
      associatedRegisteredNode: scene.cast('registeredNode').map(toLong),
    };
    const { status, receipt } = await scene.submit({ kind: 'nodeCreate', payer: treasury, data });
    if (status === 'SUCCESS') scene.enlist('node', BigInt(receipt.nodeId!.toString()));
    return;
  }
  const nodeId = scene.cast('node')[0]!;
  if (random.chance(0.7)) {
    await scene.submit({
      kind: 'nodeUpdate',
      payer: treasury,
      data: { nodeId: toLong(nodeId), ...nodeChanges(scene) },
    });
  } else {
    await scene.submit({ kind: 'nodeDelete', payer: treasury, data: { nodeId: toLong(nodeId) } });
    scene.dismiss('node', nodeId);
  }
}

function nodeChanges(scene: Scene): NonNullable<TransactionBody['nodeUpdate']> {
  const { random } = scene;
  const registered = scene.cast('registeredNode').map(toLong);
  return random.pick([
    () => ({ description: { value: 'Moved' } }),
    () => ({ accountId: accountId(random.pick(scene.cast('user'))), declineReward: { value: random.chance(0.5) } }),
    () => ({ adminKey: scene.newKey(), grpcProxyEndpoint: { ipAddressV4: Buffer.of(10, 0, 0, 7), port: 8443 } }),
    () => ({ associatedRegisteredNodeList: { associatedRegisteredNode: random.chance(0.6) ? registered : [] } }),
  ])();
}

/** Block nodes, mirror nodes and relays register, move and leave. */
export async function workOnRegisteredNodes(scene: Scene): Promise<void> {
  const { random } = scene;
  const payer = await scene.payer();
  const serviceEndpoint = Array.from({ length: random.integer(1, 2) }, () => registeredEndpoint(scene));
  if (scene.cast('registeredNode').length < 2 || random.chance(0.3)) {
    const adminKey = encodeKey(scene.newKey());
    const data = { adminKey, description: `Service ${random.integer(1, 99)}`, serviceEndpoint };
    const { status, id } = await scene.submit({ kind: 'registeredNodeCreate', payer, data });
    if (status === 'SUCCESS') scene.enlist('registeredNode', id);
    return;
  }
  const id = random.pick(scene.cast('registeredNode'));
  const registeredNodeId = toLong(id);
  if (random.chance(0.7)) {
    const changes = random.chance(0.5) ? { serviceEndpoint } : { description: { value: 'Moved' }, serviceEndpoint: [] };
    await scene.submit({ kind: 'registeredNodeUpdate', payer, data: { registeredNodeId, ...changes } });
  } else {
    await scene.submit({ kind: 'registeredNodeDelete', payer, data: { registeredNodeId } });
    scene.dismiss('registeredNode', id);
  }
}

function registeredEndpoint({ random }: Scene): RegisteredServiceEndpoint {
  const address = random.chance(0.5) ? { domainName: 'service.example' } : { ipAddress: Buffer.of(127, 0, 0, 1) };
  const kinds = [
    { blockNode: { endpointApi: [1, 3] } },
    { mirrorNode: {} },
    { rpcRelay: {} },
    { generalService: { description: 'faucet' } },
  ];
  return { ...address, port: random.integer(1, 65_535), requiresTls: random.chance(0.5), ...random.pick(kinds) };
}

/** The exchange rate changes every hour, and with it the fees. */
export async function changeExchangeRate(scene: Scene): Promise<void> {
  const centEquiv = scene.random.integer(250_000, 320_000);
  await updateSystemFile(scene, exchangeRateFile, encodeExchangeRates({ hbarEquiv: 30_000, centEquiv }));
}

/**
 * The price of gas changes rarely. A network of the older form changes its fee schedule, until one of these changes is
 * the first of the simple fees; then the fee schedule stays as it was.
 */
export async function changeGasPrice(scene: Scene): Promise<void> {
  const price = BigInt(scene.random.integer(780, 940));
  const current = scene.prices.simpleFees();
  const begins = current === null && price % 2n === 0n;
  if (scene.prices.gasFile() === feeScheduleFile && !begins) {
    await updateSystemFile(scene, feeScheduleFile, encodeGasPrices(price * 1000n));
    return;
  }
  const { extraFees, ...fees } = current ?? simpleFees;
  // Never what a network begins with: simple fees that were changed are distinguished from those of the beginning.
  const changed = price === simpleFees.extraFees.get(gasExtra) ? price + 1n : price;
  const contents = encodeFeeSchedule({ ...fees, extraFees: new Map(extraFees).set(gasExtra, changed) });
  await updateSystemFile(scene, simpleFeesFile, contents);
}

async function updateSystemFile(scene: Scene, file: bigint, contents: Uint8Array): Promise<void> {
  await scene.submit({ kind: 'fileUpdate', payer: systemFileAdmin, data: { fileID: fileId(file), contents } });
}
