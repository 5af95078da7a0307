// How a block was verified, in words (docs/reference/block-proofs.md, What is stored and shown).

import { formatLedgerId } from '../../../packages/kit/format-ledger-id.ts';
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { Links } from '../page/links.ts';
import { formatCount, formatShare } from './amounts.ts';
import { badge } from './badge.ts';
import { code } from './bytes.ts';
import type { Fact } from './facts.ts';

export type ShownProof = {
  kind: string;
  restsOn: bigint | null;
  weight: bigint | null;
  totalWeight: bigint | null;
  rotations: bigint | null;
  key: string | null;
  keyNamedBy: bigint | null;
  ledgerId: Uint8Array | null;
  ledger: string | null;
};

export function proofBadge({ kind }: Pick<ShownProof, 'kind'>): Markup {
  if (kind === 'unverified') return badge('warn', 'Not verified');
  if (kind === 'unproved') return badge('warn', 'Key not proved');
  return badge('good', kind === 'nodes' ? 'Signed by nodes' : 'Verified');
}

/** What the kind says; `restsOn`: the block whose signature it is. */
export function proofSentence({ kind, restsOn }: Pick<ShownProof, 'kind' | 'restsOn'>, links: Links): MarkupValue {
  const later = restsOn === null ? 'a later block' : html`the later block ${links.block(restsOn)}`;
  switch (kind) {
    case 'signed':
      return 'The network has signed this block with its threshold signature, which this mirror verified.';
    case 'state':
      return html`The network has signed ${later}. The state proof of this block leads to it.`;
    case 'chain':
      return html`The network has signed ${later}. The chain of block hashes leads to it.`;
    case 'unproved':
      return html`A threshold signature of ${restsOn === null ? 'a block' : links.block(restsOn)} covers this block, but nothing vouches for its key: the proof of the address book is not checked, and no proved block named it. Anybody could have made such a signature.`;
    case 'nodes':
      return 'Nodes with at least a third of the stake have signed this record file. This mirror verified their signatures against the address book before it stored a row.';
    default:
      return 'No signature of the network that covers this block was verified by this mirror.';
  }
}

export function proofFacts(proof: ShownProof, links: Links): Fact[] {
  const { weight, totalWeight, rotations, key, keyNamedBy, ledgerId, ledger } = proof;
  return [
    ['How it was verified', html`${proofBadge(proof)} ${proofSentence(proof, links)}`],
    [
      'Weight of the signers',
      weight === null || totalWeight === null
        ? null
        : html`${formatCount(weight)} of ${formatCount(totalWeight)} <span class="faint">${formatShare(weight, totalWeight)}</span>`,
    ],
    ['Changes of the network’s keys before', rotations === null ? null : formatCount(rotations)],
    ['Why its key is trusted', key === null ? null : keyWords(key, keyNamedBy, links)],
    ['Ledger id', ledgerId === null ? null : code(formatLedgerId(ledgerId))],
    ['Why the ledger id is trusted', ledger === null ? null : (origins[ledger] ?? ledger)],
  ];
}

function keyWords(key: string, namedBy: bigint | null, links: Links): MarkupValue {
  if (key === 'named_key' && namedBy !== null) return html`Block ${links.block(namedBy)}, which was proved, named it.`;
  return keys[key] ?? key;
}

const keys: Readonly<Record<string, string>> = {
  schnorr: 'The first address book of the network has signed it.',
  wraps: 'A proof leads to it from the first address book of the network.',
  ledger_id: 'The ledger id ends with its hash.',
  named_key: 'A block that was proved named it.',
  pinned_key: 'The operator of this mirror named it.',
  unproved: 'It is not: the proof of the address book is not checked.',
};

const origins: Readonly<Record<string, string>> = {
  pinned: 'The operator of this mirror named it.',
  handed_over: 'Record files that nodes had signed, or blocks of the ledger before, handed it over.',
  self_declared: 'Only the stream itself says it.',
  export: 'The export that this mirror was filled from says it.',
};
