// Slots of storage that a transaction read or wrote.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { ContractResultDetail } from '../../ledger/contracts/create-contract-results.ts';
import type { Links } from '../page/links.ts';
import type { PageRequest } from '../page/page.ts';
import { formatCount } from '../parts/amounts.ts';
import { code } from '../parts/bytes.ts';
import { listWindow } from '../parts/list-window.ts';
import { type Column, table } from '../parts/table.ts';

type StateChange = ContractResultDetail['stateChanges'][number];

const changesShown = 6;

/** null = there are none. */
export function stateChangesPart(changes: readonly StateChange[], request: PageRequest, links: Links): Markup | null {
  if (changes.length === 0) return null;
  const { shown, pager } = listWindow(changes, request, { name: 'slots', id: 'slots', size: changesShown });
  const columns: Column<StateChange>[] = [
    { name: 'Contract', narrow: 'title', show: ({ contractId }) => links.contract(contractId) },
    { name: 'Slot', narrow: 'start', narrowName: 'before', show: ({ slot }) => word(slot) },
    { name: 'Before', narrow: 'below', narrowName: 'before', show: ({ valueRead }) => word(valueRead) },
    {
      name: 'After',
      narrow: 'below',
      narrowName: 'before',
      show: ({ valueWritten }) =>
        valueWritten === null ? html`<span class="faint">only read</span>` : word(valueWritten),
    },
  ];
  return html`<h3 id="slots">Storage <span class="faint">${formatCount(changes.length)}</span></h3>
${table(columns, shown, { caption: 'Slots of storage', none: 'None here.' })}${pager}`;
}

/** Without leading zeros. */
function word(bytes: Uint8Array): MarkupValue {
  const digits = Buffer.from(bytes).toString('hex').replace(/^0+/, '');
  return code(`0x${digits === '' ? '0' : digits}`);
}
