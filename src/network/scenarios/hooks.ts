// Accounts that get hooks, fill and empty their storage, and lose them.
import { accountId, contractId, toLong } from '../hapi-values.ts';
import type { Scene } from '../scene.ts';

const slotCount = 6;

export async function workOnHooks(scene: Scene): Promise<void> {
  const { random, ledger } = scene;
  const owners = scene.cast('hookOwner').filter((id) => !scene.account(id).deleted);
  const contracts = scene.cast('counter');
  if (contracts.length === 0) return;
  if (owners.length < 4 || random.chance(0.1)) return addHook(scene, random.pick(contracts));
  const owner = random.pick(owners);
  const hooks = [...ledger.tables.hooks.values()].filter((hook) => hook.owner === owner && !hook.deleted);
  if (hooks.length === 0) return addHook(scene, random.pick(contracts), owner);
  const hook = random.pick(hooks);
  if (hook.slots.length === 0 && random.chance(0.4)) {
    const data = { accountIDToUpdate: accountId(owner), hookIdsToDelete: [toLong(hook.id)] };
    await scene.submit({ kind: 'cryptoUpdateAccount', payer: owner, data });
    return;
  }
  const hookId = { entityId: { accountId: accountId(owner) }, hookId: toLong(hook.id) };
  await scene.submit({ kind: 'lambdaSstore', payer: owner, data: { hookId, storageUpdates: storageUpdates(scene) } });
}

async function addHook(scene: Scene, contract: bigint, owner?: bigint): Promise<void> {
  const { random } = scene;
  const payer = owner ?? (await scene.payer());
  const hookCreationDetails = [
    {
      hookId: toLong(BigInt(random.integer(1, 5))),
      lambdaEvmHook: {
        spec: { contractId: contractId(contract) },
        storageUpdates: random.chance(0.5) ? storageUpdates(scene) : [],
      },
      adminKey: random.chance(0.5) ? scene.newKey() : undefined,
    },
  ];
  const data = { accountIDToUpdate: accountId(payer), hookCreationDetails };
  const { status } = await scene.submit({ kind: 'cryptoUpdateAccount', payer, data });
  if (status === 'SUCCESS' && !scene.cast('hookOwner').includes(payer)) scene.enlist('hookOwner', payer);
}

/** A third of them takes a slot away. */
function storageUpdates({ random }: Scene) {
  const value = () =>
    random.chance(0.33) ? Buffer.alloc(0) : Buffer.of(random.integer(1, 255), random.integer(0, 255));
  const key = () => Buffer.of(random.integer(1, slotCount));
  return Array.from({ length: random.integer(1, 3) }, () =>
    random.chance(0.7)
      ? { storageSlot: { key: key(), value: value() } }
      : {
          mappingEntries: {
            mappingSlot: Buffer.of(9),
            entries: [random.chance(0.5) ? { key: key(), value: value() } : { preimage: key(), value: value() }],
          },
        },
  );
}
