// Paths of pages, and links to them. Paths are those of HashScan, so that a link to that site works with another host.

import { html, type Markup, type MarkupValue, toMarkupText, trustedMarkup } from '../../../packages/kit/markup.ts';
import { decodeEntityId, formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { responseCodeName } from '../../../packages/protocol/hapi/response-codes.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { type TransactionFamily, transactionTypes } from '../../../packages/protocol/hapi/transaction-types.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';

export type Links = ReturnType<typeof createLinks>;

/** Kinds of entities that have a page. */
export type LinkedKind = 'account' | 'contract' | 'token' | 'topic' | 'schedule';

/** What those who run the mirror call an entity. */
export type ShownLabel = {
  name: string;
  beside: Markup;
  /** For the head of its own page. */
  line: Markup;
};

/** `slug`: the network's name in paths. `labels`: by packed id. */
export function createLinks(slug: string, labels: ReadonlyMap<bigint, ShownLabel> = new Map()) {
  const start = `/${slug}`;
  const withLabel = (id: bigint, shown: MarkupValue): MarkupValue => {
    const label = labels.get(id);
    return label === undefined ? shown : html`${shown}${label.beside}`;
  };
  const pathOf = (kind: LinkedKind, id: bigint): string => `${start}/${kind}/${formatEntityId(id)}`;
  // Lists have hundreds of these: what is before the id is escaped once, and ids are digits and points.
  const startMarkup = html`${start}`.markup;
  const linkTo = (kind: LinkedKind, text: string): Markup =>
    trustedMarkup(`<a href="${startMarkup}/${kind}/${text}">${text}</a>`);
  const entity =
    (kind: LinkedKind) =>
    /** null and 0 are no entity; text alone if nothing of this id has a page. */
    (id: bigint | null): MarkupValue => {
      if (id === null || id === 0n) return null;
      const text = formatEntityId(id);
      return withLabel(id, hasPage(kind, id) ? linkTo(kind, text) : text);
    };
  return {
    /** `/{network}`, without a slash at its end. */
    start,
    path: pathOf,
    idText: formatEntityId,
    hasLabels: labels.size > 0,
    /** Empty = it has none. */
    labelText: (id: bigint | null): string => (id === null ? '' : (labels.get(id)?.name ?? '')),
    /** Entities with a text in their labels, in any case. */
    findLabels(part: string, max: number): bigint[] {
      const wanted = part.toLowerCase();
      const found: bigint[] = [];
      for (const [id, { name }] of labels) {
        if (name.toLowerCase().includes(wanted)) found.push(id);
        if (found.length === max) break;
      }
      return found;
    },
    /** Below the heading of its page: its label, and the place for the visitor's own note. */
    labelLine: (id: bigint): Markup =>
      html`${labels.get(id)?.line ?? null}\n<div class="note" data-note="${formatEntityId(id)}"></div>`,
    account: entity('account'),
    contract: entity('contract'),
    token: entity('token'),
    topic: entity('topic'),
    schedule: entity('schedule'),
    /** Serial numbers are shown as `#5`. */
    nft: (tokenId: bigint, serialNumber: bigint): Markup =>
      link(`${start}/token/${formatEntityId(tokenId)}/${serialNumber}`, `#${serialNumber}`),
    block: (number: bigint): Markup => trustedMarkup(`<a href="${startMarkup}/block/${number}">${number}</a>`),
    transactionPath: (consensusTimestamp: bigint): string =>
      `${start}/transaction/${formatTimestamp(consensusTimestamp)}`,
    /** By its consensus timestamp, which names one transaction; the text is its id unless another is given. */
    transaction({ payerAccountId: payerId, validStart, consensusTimestamp }: NamedTransaction, text?: string): Markup {
      const shown = text === undefined ? formatTransactionId({ payerId, validStart }) : toMarkupText(text);
      return trustedMarkup(`<a href="${startMarkup}/transaction/${formatTimestamp(consensusTimestamp)}">${shown}</a>`);
    },
    /** What a transaction is about, whose kind its type says. Text alone if nothing of this id has a page. */
    subject({ type, entityId: id, result }: { type: number; entityId: bigint | null; result: number }): MarkupValue {
      if (id === null || id === 0n) return null;
      const text = formatEntityId(id);
      const kind = unknownSubject.test(responseCodeName(result)) ? null : kindOfSubject(type);
      return withLabel(id, kind === null || !hasPage(kind, id) ? text : linkTo(kind, text));
    },
  };
}

/** Made once for the links of a server: to make the columns of a list again takes as long as some of its rows. */
export function ofLinks<T extends object>(make: (links: Links) => T): (links: Links) => T {
  const made = new WeakMap<Links, T>();
  return (links) => {
    const known = made.get(links);
    if (known !== undefined) return known;
    const first = make(links);
    made.set(links, first);
    return first;
  };
}

type NamedTransaction = { payerAccountId: bigint; validStart: bigint; consensusTimestamp: bigint };

/** `href` must be made of this server's own paths: it is escaped, but not judged. */
export function link(href: string, text: MarkupValue): Markup {
  return html`<a href="${href}">${text}</a>`;
}

/** System contracts and precompiles can be called, and are no entities. */
const lastSystemNum = 1000n;

function hasPage(kind: LinkedKind, id: bigint): boolean {
  return kind !== 'contract' || decodeEntityId(id).num > lastSystemNum;
}

/** Names of response codes. */
const unknownSubject = /^INVALID_\w+_ID$/;

const kindsOfFamily: Partial<Record<TransactionFamily, LinkedKind>> = {
  account: 'account',
  contract: 'contract',
  schedule: 'schedule',
  token: 'token',
  topic: 'topic',
};

/** Whom they are about, though they are of tokens. */
const ofAccounts: readonly string[] = ['tokenAssociate', 'tokenDissociate', 'tokenReject'];

const kindsOfType = new Map(
  transactionTypes.map(({ number, bodyField, family }) => [
    number,
    ofAccounts.includes(bodyField) ? 'account' : (kindsOfFamily[family] ?? null),
  ]),
);

/** null = no page shows it, or the type does not say what it is. */
function kindOfSubject(type: number): LinkedKind | null {
  return kindsOfType.get(type) ?? null;
}
