// Which items of its block show a transaction: its own, or all of inputs and outputs, whose order says that they belong
// together.

import { partOf, type ShownItems } from './make-block-document.ts';
import type { ProvedBlock } from './open-proved-block.ts';
import { ProofUnavailable } from './proof-unavailable.ts';

export const itemChoices = ['all', 'single'] as const;
export type ItemChoice = (typeof itemChoices)[number];

/** What is asked for; `timestamp`: consensus time of the transaction. */
export type ProvedThing =
  | { of: 'transaction' | 'contractResult' | 'topicMessage'; timestamp: bigint }
  | { of: 'block' };

/** Of inputs and outputs, beyond which they are not handed over whole. */
export const maxWholeBytes = 4 * 1024 * 1024;
/**
 * Of items that are shown one by one: their hex is made, and sent, in one piece. And their number: each has its
 * siblings.
 */
const maxSingleBytes = 8 * 1024 * 1024;
const maxSingle = 1000;

/** @param choice null: all, where that is possible and says more. Throws ProofUnavailable. */
export function chooseItems(block: ProvedBlock, thing: ProvedThing, choice: ItemChoice | null): ShownItems {
  const shown = chooseFrom(block, thing, choice);
  const sizes = shown.single.map(([subtree, place]) => partOf(block, subtree).itemAt(place)?.length ?? 0);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (sizes.length <= maxSingle && bytes <= maxSingleBytes) return shown;
  throw new ProofUnavailable(
    `The transaction has ${sizes.length} items of ${bytes} bytes${shown.whole.length > 0 ? ' beside all of inputs and outputs' : ''}, and a document shows at most ${maxSingle} of ${maxSingleBytes} bytes one by one`,
  );
}

function chooseFrom(block: ProvedBlock, thing: ProvedThing, choice: ItemChoice | null): ShownItems {
  const header = ['outputs', 0] as const;
  if (thing.of === 'block') return { single: [header], whole: [] };
  const places = block.transactions.get(thing.timestamp);
  if (!places) throw new ProofUnavailable('The block that the source has shows no result of this time');
  const changes = thing.of === 'transaction' ? [] : (block.changes.get(thing.timestamp) ?? []);
  const beside = [
    ...(thing.of === 'contractResult' ? places.traces.map((place) => ['traces', place] as const) : []),
    ...changes.map((place) => ['stateChanges', place] as const),
  ];
  const fault = faultOfWhole(block);
  if (choice === 'all' && fault) throw new ProofUnavailable(`Not all items can be handed over: ${fault}`);
  if (choice === 'all' || (choice === null && !fault && !block.hasBatch)) {
    return { single: beside, whole: ['inputs', 'outputs'] };
  }
  const outputs = [places.result, ...(thing.of === 'transaction' ? [] : places.outputs)];
  return {
    single: [header, ['inputs', places.input], ...outputs.map((place) => ['outputs', place] as const), ...beside],
    whole: [],
  };
}

/** Why its inputs and outputs cannot be handed over whole; null = they can. */
function faultOfWhole({ wholeBytes }: ProvedBlock): string | null {
  if (wholeBytes === null) return 'the source left some out of the block';
  return wholeBytes > maxWholeBytes ? `inputs and outputs of the block have ${wholeBytes} bytes` : null;
}
