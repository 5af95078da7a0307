// What a search has found, in words, and where it is shown: as a page, and as JSON.

import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import type { SearchTarget } from '../../ledger/search/search.ts';
import type { LinkedKind, Links } from '../page/links.ts';
import { formatCount, hbar } from '../parts/amounts.ts';
import { badge, outcomeBadge } from '../parts/badge.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { moment } from '../parts/times.ts';
import { typeWords } from '../parts/transaction-words.ts';

export type SearchHit = {
  /** As `Account`, `Token`. */
  kind: string;
  /** An id, or whatever names it. */
  name: MarkupValue;
  /** A line of facts. */
  about: MarkupValue;
  /** Of its page; null = none shows it. */
  page: string | null;
  /** Of its JSON; null = no endpoint answers it. */
  json: string | null;
  /** Whether the page is of the thing itself, and not of something near. */
  isItself: boolean;
};

export function toSearchHit(target: SearchTarget, links: Links): SearchHit {
  const whole = { isItself: true };
  switch (target.kind) {
    case 'entity':
      return toEntityHit(target, links);
    case 'token': {
      const id = formatEntityId(target.id);
      const about = html`${foreignText(target.name, { max: 100 })} (${foreignText(target.symbol, { max: 40 })})`;
      const places = { page: links.path('token', target.id), json: `/api/v1/tokens/${id}` };
      return { ...whole, ...places, kind: 'Token', name: id, about };
    }
    case 'contractToken': {
      const id = formatEntityId(target.id);
      const symbol = foreignText(target.symbol ?? '', { max: 40, none: 'no symbol' });
      const about = html`${foreignText(target.name ?? '', { max: 100 })} (${symbol})`;
      const places = { page: `${links.path('contract', target.id)}/token`, json: `/api/v1/contracts/${id}` };
      return { ...whole, ...places, kind: `${target.standard} token`, name: id, about };
    }
    case 'nft': {
      const id = formatEntityId(target.tokenId);
      const { serialNumber } = target;
      const page = `${links.path('token', target.tokenId)}/${serialNumber}`;
      const named = { name: `${id} #${serialNumber}`, about: null };
      return { ...whole, ...named, kind: 'NFT', page, json: `/api/v1/tokens/${id}/nfts/${serialNumber}` };
    }
    case 'message': {
      const id = formatEntityId(target.topicId);
      const about = moment(target.consensusTimestamp);
      const json = `/api/v1/topics/${id}/messages/${target.sequenceNumber}`;
      const page = links.transactionPath(target.consensusTimestamp);
      return { ...whole, kind: 'Message', name: `${id} #${target.sequenceNumber}`, about, page, json };
    }
    case 'accountsOfKey': {
      const places = {
        page: `${links.start}/accountsWithKey/${target.key}`,
        json: `/api/v1/accounts?account.publickey=${target.key}`,
      };
      return { ...whole, ...places, kind: 'Public key', name: target.key, about: 'several accounts have it' };
    }
    case 'block': {
      const { number, consensusEnd, count } = target;
      const about = html`${moment(consensusEnd)}, ${formatCount(count)} transactions`;
      const places = { page: `${links.start}/block/${number}`, json: `/api/v1/blocks/${number}` };
      return { ...whole, ...places, kind: 'Block', name: number, about };
    }
    case 'transaction': {
      const { contractResultHash: hash, consensusTimestamp, type, result } = target;
      const id = formatTransactionId({ ...target, payerId: target.payerAccountId });
      const about = html`${typeWords(type)}, ${moment(consensusTimestamp)} ${outcomeBadge(result)}`;
      const json = hash ? `/api/v1/contracts/results/0x${hash.toString('hex', 0, 32)}` : `/api/v1/transactions/${id}`;
      return { ...whole, kind: 'Transaction', name: id, about, page: links.transactionPath(consensusTimestamp), json };
    }
  }
}

const kinds: Readonly<Record<string, LinkedKind>> = {
  ACCOUNT: 'account',
  CONTRACT: 'contract',
  TOKEN: 'token',
  SCHEDULE: 'schedule',
  TOPIC: 'topic',
};

function toEntityHit(target: SearchTarget & { kind: 'entity' }, links: Links): SearchHit {
  const { id, type, memo, balance, deleted, createdTimestamp } = target;
  const linked = kinds[type];
  const name = formatEntityId(id);
  const holds = linked === 'account' || linked === 'contract';
  const label = foreignText(links.labelText(id), { max: 60 });
  const about = html`${label === null ? null : html`<span class="label">${label}</span> `}${holds && balance !== null ? html`${hbar(balance)} ` : null}${foreignText(memo, { max: 60 })}${deleted ? html` ${badge('bad', 'Deleted')}` : null}`;
  const kind = type === 'UNKNOWN' ? 'Entity' : type.charAt(0) + type.slice(1).toLowerCase();
  if (linked !== undefined) {
    const places = { page: links.path(linked, id), json: `/api/v1/${linked}s/${name}` };
    return { ...places, kind, name, about, isItself: true };
  }
  // Files have no page: the transaction that made one says what is in it.
  const page = createdTimestamp === null ? null : links.transactionPath(createdTimestamp);
  const made = page === null ? null : html` <span class="faint">the transaction that made it</span>`;
  return { kind, name, about: html`${about}${made}`, page, json: null, isItself: false };
}
