// The form that chooses among an account's transactions.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { transactionTypes } from '../../../packages/protocol/hapi/transaction-types.ts';
import { typeWords } from '../parts/transaction-words.ts';
import type { OperationsQuery } from './operations-query.ts';

type Option = readonly [value: string, text: string];

const types: readonly Option[] = transactionTypes
  .map(({ name, number }): Option => [name, typeWords(number)])
  .sort(([, one], [, other]) => (one < other ? -1 : 1));
const results: readonly Option[] = [
  ['success', 'Succeeded'],
  ['fail', 'Failed'],
];
const directions: readonly Option[] = [
  ['credit', 'Got something'],
  ['debit', 'Gave something'],
];

export function operationsForm(path: string, { values }: OperationsQuery): Markup {
  return html`<form class="filters" action="${path}">
${choice('transactiontype', 'Type', types, values.get('transactiontype')?.toUpperCase())}
${choice('result', 'Result', results, values.get('result'))}
${choice('type', 'Direction', directions, values.get('type'))}
${day('from', 'From', values.get('from'))}
${day('to', 'To', values.get('to'))}
<button class="minor">Show</button>
</form>`;
}

function choice(name: string, label: string, options: readonly Option[], chosen = ''): Markup {
  const listed = options.map(([value, text]) =>
    value === chosen
      ? html`<option value="${value}" selected>${text}</option>`
      : html`<option value="${value}">${text}</option>`,
  );
  return html`<label>${label}<select name="${name}"><option value="">Any</option>${listed}</select></label>`;
}

function day(name: string, label: string, chosen = ''): Markup {
  return html`<label>${label}<input type="date" name="${name}" value="${chosen}"></label>`;
}
