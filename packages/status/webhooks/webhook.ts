// A webhook and its messages. Times are ms since 1970.

export type Webhook = {
  id: string;
  url: string;
  /** `whsec_` and the key in base64: the receiver checks signatures with it. */
  secret: string;
  /** Components that it subscribes to; null for all. */
  componentIds: string[] | null;
  createdAt: number;
  createdBy: string;
  /** Since when nothing is sent any more, because the receiver answered 410 Gone; null while it is in use. */
  endedAt: number | null;
};

/** One message on its way to one webhook. */
export type Delivery = {
  /** The same over all attempts, so that a receiver can recognize a repetition. */
  id: string;
  webhookId: string;
  /** Messages of one webhook arrive in this order. */
  sequence: number;
  /** JSON */
  body: string;
  createdAt: number;
  /** Failed attempts so far. */
  attempts: number;
  /** Not before this instant. */
  nextAt: number;
};

/** Result of one attempt. `gone`: the receiver never accepts messages again. */
export type Outcome = { kind: 'delivered' } | { kind: 'failed'; reason: string } | { kind: 'gone' };
