// The methods of docs/reference/json-rpc.md, written from their table.
import { methods } from '../../src/doors/rpc/methods/methods.ts';

const begin = '<!-- methods: written by UPDATE_PAGES=1 npm test -->\n';
const end = '<!-- end of methods -->';

/** The page with the table as it has to be. Throws where the page has no place for it. */
export function withMethods(page: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The page needs the lines "${begin.trim()}" and "${end}"`);
  return `${page.slice(0, from)}${begin}${formatMethods()}${page.slice(to)}`;
}

function formatMethods(): string {
  const rows = [...methods]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { parameters, about }]) => `| \`${name}\` | ${parameters.join('; ')} | ${about} |`);
  return ['', '| method | parameters | answer |', '|---|---|---|', ...rows, '', ''].join('\n');
}
