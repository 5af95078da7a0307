// What a page for people is: a path below the network's name, questions, and markup. Route, cache, refusals as pages
// and the frame around it follow from that.
import type { Markup } from '../../../packages/kit/markup.ts';
import type { PageContext } from './page-context.ts';

export type PageRequest = {
  /** As typed, without the query. */
  path: string;
  /** Of the path, by name, decoded. */
  params: Readonly<Record<string, string>>;
  /** What follows the `?`. */
  queryText: string;
};

/** Sources that the policy of one page allows beside this server, as in a Content-Security-Policy. */
export type AllowedSources = { images: readonly string[]; connects: readonly string[] };

export type PageContent = {
  /** Without the names of network and product. */
  title: string;
  main: Markup;
  /** Path and query of the same as JSON; null = no endpoint answers it. */
  json: string | null;
  /** What `/proof?of=` takes: a transaction id, the hash of a result, `topic/number` or a block number. */
  proofOf?: string;
  /** Path and query of the same list as CSV. */
  csv?: string;
  /** Default 200. */
  status?: number;
  /** After these the browser asks again: what is shown is not done. */
  refreshSeconds?: number;
  /** What the browser may load from others for this page: the visitor has asked for it. */
  allows?: AllowedSources;
};

/** Another page that the request means. */
type PageRedirect = { location: string };

/** Text that people wrote, as it is: no browser takes it for anything else. */
type PageText = { text: string };

export type Page = {
  /** Below `/{network}`, as Fastify writes it: `/account/:accountId`; '' is the start. */
  path: string;
  /** What is asked of the ledger, and how it looks. Throws RequestError. */
  ask(request: PageRequest, context: PageContext): Promise<PageContent | PageRedirect | PageText>;
  /** The same list as a file. */
  download?: PageDownload;
};

/** A list as a file, written row by row while it is read. */
export type PageDownload = {
  /** Below `/{network}`; its name is that of the file. */
  path: string;
  /** Lines with their line ends, the head first; a piece at a time. Throws RequestError before the first. */
  lines(request: PageRequest, context: PageContext): AsyncIterable<string>;
};
