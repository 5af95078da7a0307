// The opcodes of docs/reference/contract-machine.md, written from their table.
import { opcodeName, opcodesOf } from '../../packages/machine/opcodes/table.ts';
import { forkNames } from '../../packages/machine/rules/forks.ts';

const begin = '<!-- opcodes: written by UPDATE_PAGES=1 npm test -->\n';
const end = '<!-- end of opcodes -->';

/** The page with the table as it has to be. Throws where the page has no place for it. */
export function withOpcodes(page: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The page needs the lines "${begin.trim()}" and "${end}"`);
  return `${page.slice(0, from)}${begin}${formatOpcodes()}${page.slice(to)}`;
}

function formatOpcodes(): string {
  const rows = forkNames.map((fork, place) => {
    const before = forkNames[place - 1];
    const names = namesOf(fork).filter((name) => before === undefined || !namesOf(before).includes(name));
    return `| ${fork} | ${names.map((name) => `\`${name}\``).join(' ')} |`;
  });
  return ['', '| since | opcodes |', '|---|---|', ...rows, '', ''].join('\n');
}

/** A code that no fork has. */
const unknownCode = 0x0c;

function namesOf(fork: (typeof forkNames)[number]): string[] {
  const { handlers } = opcodesOf(fork);
  return handlers.flatMap((handler, code) => (handler === handlers[unknownCode] ? [] : [opcodeName(code)]));
}
