// What is known of how the newest block was verified, how far behind the mirror is, and which part of the ledger it
// holds. What is not verified is said.

import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { Finds } from '../../api/endpoint/endpoint.ts';
import { describeExtent, type Extent } from '../../ledger/extent/extent.ts';
import { describeStorage, type Storage } from '../../ledger/extent/storage.ts';
import type { getBlock } from '../../resources/blocks/get-block.ts';
import { link } from '../page/links.ts';
import { formatCount, formatShare } from '../parts/amounts.ts';
import { badge } from '../parts/badge.ts';
import { facts } from '../parts/facts.ts';
import { section } from '../parts/section.ts';
import { formatDuration, moment } from '../parts/times.ts';

type ProvedBlock = typeof getBlock extends Finds<infer T> ? T : never;

type MirrorState = {
  block: ProvedBlock;
  extent: Extent | null;
  /** null = not known. */
  storage: Storage | null;
  /** ns */
  now: bigint;
};

export function formatState({ block, extent, storage, now }: MirrorState): Markup {
  const { number, consensusEnd } = block;
  return section(
    { id: 'state', title: 'What this mirror holds', beside: link('/proof', 'Check a proof in your browser') },
    facts([
      ['Proof of the newest block', formatProof(block)],
      [
        'Newest block',
        html`${formatCount(number)}, which ended ${moment(consensusEnd)}: ${formatLag(now - consensusEnd)}`,
      ],
      ['Oldest block', extent && html`${formatCount(extent.firstBlock)}, which began ${moment(extent.from)}`],
      ['Part of the ledger', extent && (describeExtent(extent) ?? 'All of it, from the first block on.')],
      ['Room that it takes', storage && describeStorage(storage, extent?.isCut ?? false)],
    ]),
  );
}

/** Longer than any network takes for a block and its upload. */
const lateAfter = 60_000_000_000n;

function formatLag(lag: bigint): MarkupValue {
  const behind = `${formatDuration(lag / 1_000_000_000n)} behind`;
  return lag > lateAfter ? badge('warn', behind) : badge('good', behind);
}

function formatProof({ proof, number }: ProvedBlock): MarkupValue {
  switch (proof?.kind) {
    case 'signed':
      return html`${badge('good', 'Signed by the network')} Its own threshold signature was verified${weightOf(proof)}.`;
    case 'state':
    case 'chain':
      return html`${badge('good', 'Covered by a signature')} The network's threshold signature of block ${proof.restsOn ?? number} was verified, and leads to it${weightOf(proof)}.`;
    case 'unproved':
      return html`${badge('warn', 'Key not proved')} A threshold signature covers it${weightOf(proof)}, but nothing vouches for its key: the proof of the address book is not checked.`;
    case 'nodes':
      return html`${badge('good', 'Signed by nodes')} Nodes of the address book with at least a third of the stake signed its record file; each signature was verified.`;
    default:
      return html`${badge('warn', 'Not verified')} No signature of the network that covers this block has been verified: it is shown as the stream has it.`;
  }
}

function weightOf({ weight, totalWeight }: NonNullable<ProvedBlock['proof']>): MarkupValue {
  if (weight == null || totalWeight == null) return null;
  return ` (${formatShare(weight, totalWeight)} of the weight)`;
}
