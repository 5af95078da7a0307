// Collections that contracts keep: badges, each one of its own, and tickets, of which there are several of a kind.
import { type CollectionName, encodeCall, initcodeOf } from '../evm/artifacts.ts';
import { evmAddressOf } from '../evm/run-evm.ts';
import { duration, toLong } from '../ledger/hapi-values.ts';
import { callThrough } from './contracts.ts';
import type { Role, Scene } from './scene.ts';

const roles: Record<CollectionName, Role> = { Badges: 'badges', Tickets: 'tickets' };
/** More are not made: each is a slot of the contract. */
const maxBadges = 60n;
const gas = 600_000n;

/** Both contracts, with a few units each. */
export async function openCollections(scene: Scene): Promise<void> {
  for (const [name, role] of Object.entries(roles) as [CollectionName, Role][]) {
    const { status, id } = await scene.submit({
      kind: 'contractCreateInstance',
      payer: await scene.payer(),
      memo: `deploy ${name}`,
      data: { initcode: initcodeOf(name), gas: toLong(2_500_000n), autoRenewPeriod: duration(7_776_000n) },
    });
    if (status === 'SUCCESS') scene.enlist(role, id);
  }
  for (let count = 0; count < 6; count++) await mintBadge(scene);
  for (let count = 0; count < 2; count++) await issueTickets(scene);
  for (let count = 0; count < 3; count++) await collect(scene);
}

/** An account gets a badge, or gives units away. */
export async function collect(scene: Scene): Promise<void> {
  const choice = scene.random.weighted({ mint: 2, giveBadge: 4, issue: 1, giveTicket: 4 });
  await { mint: mintBadge, giveBadge, issue: issueTickets, giveTicket }[choice](scene);
}

async function mintBadge(scene: Scene): Promise<void> {
  const [badges] = scene.cast('badges');
  if (badges === undefined) return;
  const minted = countBadges(scene, badges);
  if (minted >= maxBadges) return giveBadge(scene);
  await callThrough(scene, badges, encodeCall('Badges', 'mint(address)', [addressOf(scene, pickUser(scene))]), {
    ...{ gas, payer: await scene.payer() },
  });
}

/** One is made and given on; later any one, mostly by an account that may not: such calls fail. */
async function giveBadge(scene: Scene): Promise<void> {
  const [badges] = scene.cast('badges');
  if (badges === undefined) return;
  const payer = await scene.payer();
  const own = addressOf(scene, payer);
  const minted = countBadges(scene, badges);
  const isNew = minted < maxBadges;
  const number = isNew ? minted + 1n : BigInt(scene.random.integer(1, Number(minted)));
  if (isNew) await callThrough(scene, badges, encodeCall('Badges', 'mint(address)', [own]), { gas, payer });
  const values = [own, addressOf(scene, pickUser(scene)), number];
  await callThrough(scene, badges, encodeCall('Badges', 'transferFrom(address,address,uint256)', values), {
    gas,
    payer,
  });
}

async function issueTickets(scene: Scene): Promise<void> {
  const [tickets] = scene.cast('tickets');
  if (tickets === undefined) return;
  const first = BigInt(scene.random.integer(1, 12));
  const data = encodeCall('Tickets', 'issue(address,uint256)', [addressOf(scene, pickUser(scene)), first]);
  await callThrough(scene, tickets, data, { gas, payer: await scene.payer() });
}

/** An account issues three kinds, and gives away some of the last one. */
async function giveTicket(scene: Scene): Promise<void> {
  const [tickets] = scene.cast('tickets');
  if (tickets === undefined) return;
  const payer = await scene.payer();
  const own = addressOf(scene, payer);
  const first = BigInt(scene.random.integer(1, 12));
  await callThrough(scene, tickets, encodeCall('Tickets', 'issue(address,uint256)', [own, first]), { gas, payer });
  const signature = 'safeTransferFrom(address,address,uint256,uint256,bytes)';
  const values = [own, addressOf(scene, pickUser(scene)), first + 2n, 7n, new Uint8Array()];
  await callThrough(scene, tickets, encodeCall('Tickets', signature, values), { gas, payer });
}

/** The slot of `totalSupply`. */
function countBadges(scene: Scene, badges: bigint): bigint {
  const value = scene.ledger.tables.storage.get(`${badges}:${'0'.repeat(64)}`);
  return BigInt(`0x0${Buffer.from(value ?? []).toString('hex')}`);
}

function pickUser(scene: Scene): bigint {
  return scene.random.pick(scene.cast('user'));
}

function addressOf(scene: Scene, id: bigint): Uint8Array {
  return Buffer.from(evmAddressOf(scene.account(id)));
}
