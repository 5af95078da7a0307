// A key as people read it: one key, or a tree of those that sign together.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { type KeyTree, toKeyTree } from '../../../packages/protocol/hapi/key-tree.ts';
import type { Links } from '../page/links.ts';
import { code, hexBytes } from './bytes.ts';

type ContractLinks = Pick<Links, 'contract'>;

/** `bytes`: a serialized HAPI Key; null = there is none. */
export function keyTree(bytes: Uint8Array | null, links: ContractLinks): MarkupValue {
  const tree = toKeyTree(bytes);
  if (tree === null) return null;
  return tree.kind === 'unreadable'
    ? html`<p class="faint">Not a key that can be read:</p>${hexBytes(bytes)}`
    : show(tree, links);
}

function show(tree: KeyTree, links: ContractLinks): Markup {
  switch (tree.kind) {
    case 'key':
      return html`${code(tree.bytes.toString('hex'))} <span class="faint">${tree.algorithm}</span>`;
    case 'contract':
      return html`Contract ${links.contract(tree.id) ?? 'without a number'}${tree.delegates ? html` <span class="faint">or code that it delegates to</span>` : null}`;
    case 'unreadable':
      return html`<span class="faint">a key that cannot be read</span>`;
    case 'list':
      return showList(tree, links);
  }
}

function showList({ needed, keys, left }: Extract<KeyTree, { kind: 'list' }>, links: ContractLinks): Markup {
  const count = keys.length + left;
  if (count === 0) return html`<span class="faint">An empty list of keys: nobody can sign.</span>`;
  const rule = needed >= count ? (count === 1 ? 'This key' : `All ${count} of`) : `${needed} of ${count}`;
  const more = left === 0 ? null : html`<li class="faint">&hellip; ${left} more</li>`;
  return html`<span class="rule">${rule}</span><ul class="tree">${keys.map((key) => html`<li>${show(key, links)}</li>`)}${more}</ul>`;
}
