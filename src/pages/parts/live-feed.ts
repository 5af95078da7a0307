// A list that goes on: where scripts run, new rows come in by themselves until they are paused.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { PageContext } from '../page/page-context.ts';

export type LiveFeed = {
  /** Path and query of the feed. */
  url: string;
  /** What its items stand for: `blocks`. */
  name: string;
  /** The member of an item that says how many it stands for; default: one. */
  count?: string;
};

/** The dialect is named: only one of them has feeds. */
export const newBlocks = '/spec/api/v1/blocks?follow=true';

export function newMessages(topicId: string): LiveFeed {
  return { url: `/spec/api/v1/topics/${encodeURIComponent(topicId)}/messages?follow=true`, name: 'messages' };
}

export function newTransactionsOf(accountId: string): LiveFeed {
  return { url: `/spec/api/v1/transactions?account.id=${accountId}&follow=true`, name: 'transactions' };
}

/** Attributes of the element that holds the list; null where nothing says what is new. */
export function liveFeed({ url, name, count }: LiveFeed, { hasFeeds }: Pick<PageContext, 'hasFeeds'>): Markup | null {
  if (!hasFeeds()) return null;
  const sum = count === undefined ? null : html` data-live-count="${count}"`;
  return html` data-live="${url}" data-live-name="${name}"${sum}`;
}
