// The signed transaction as it was sent: its body as a tree, who signed it, its bytes.

import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { decodeSignatureMap, type SignaturePair } from '../../../packages/protocol/hapi/decode-signature-map.ts';
import { decodeTransactionBody } from '../../../packages/protocol/hapi/transaction-body.ts';
import { splitTransaction } from '../../../packages/streams/record-stream/split-transaction.ts';
import { type Links, link } from '../page/links.ts';
import { formatCount } from '../parts/amounts.ts';
import { hexBytes } from '../parts/bytes.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { messageTree } from '../parts/message-tree.ts';
import { section } from '../parts/section.ts';
import { signatureKind } from '../parts/signature-kinds.ts';
import { type Column, table } from '../parts/table.ts';
import { valueTree } from '../parts/value-tree.ts';

type BodyOptions = {
  /** The stored Transaction message; null = the mirror does not keep it. */
  bytes: Buffer | null;
  /** What its proof is asked by; null = nothing names it alone. */
  proofOf: string | null;
  links: Links;
};

export function bodySection({ bytes, proofOf, links }: BodyOptions): Markup {
  const title = 'As it was sent';
  if (bytes === null || bytes.length === 0) {
    const proof =
      proofOf === null
        ? null
        : html` ${link(`/proof?of=${encodeURIComponent(proofOf)}`, 'Its proof')} has them, where the files of the block can still be read.`;
    return section(
      { id: 'body', title },
      html`<p class="none">This mirror does not keep the bytes of such transactions.${proof}</p>`,
    );
  }
  return section(
    { id: 'body', title },
    html`${read(bytes, links)}<h3>Bytes</h3><div>${hexBytes(bytes, { max: maxBytes })}</div>`,
  );
}

const maxBytes = 768;
/** More are counted. */
const maxSignatures = 6;

function read(bytes: Buffer, links: Links): MarkupValue {
  const decoded = tryDecode(bytes);
  if (decoded === null) return html`<p class="notice">These bytes are no transaction that can be read.</p>`;
  const { body, problem, pairs } = decoded;
  const note =
    problem === null ? null : html`<p class="notice">Its content cannot be read: ${foreignText(problem)}</p>`;
  return html`${note}${valueTree(messageTree(body, links), 'Body of the transaction')}
<h3>Signatures</h3>${signatures(pairs)}`;
}

/** null for bytes that are no transaction, as another program may have stored them. */
function tryDecode(bytes: Buffer) {
  try {
    const { bodyBytes, signatureMapBytes } = splitTransaction(bytes);
    return { ...decodeTransactionBody(bodyBytes), pairs: decodeSignatureMap(signatureMapBytes) };
  } catch {
    return null;
  }
}

function signatures(pairs: readonly SignaturePair[]): MarkupValue {
  const columns: Column<SignaturePair>[] = [
    {
      name: 'Prefix of the public key',
      narrow: 'title',
      show: ({ publicKeyPrefix }) => hexBytes(publicKeyPrefix, { none: html`<span class="faint">empty</span>` }),
    },
    { name: 'Kind', narrow: 'amount', show: ({ type }) => signatureKind(type) },
    {
      name: 'Signature',
      narrow: 'below',
      narrowName: 'before',
      show: ({ signature }) => hexBytes(signature, { folded: 16 }),
    },
  ];
  const left = pairs.length - maxSignatures;
  const more = left > 0 ? html`<p class="faint">&hellip; ${formatCount(left)} more</p>` : null;
  return [
    table(columns, pairs.slice(0, maxSignatures), { caption: 'Signatures', none: 'Nobody has signed it.' }),
    more,
  ];
}
