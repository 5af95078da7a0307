import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withOpcodes } from './opcodes-page.ts';

const page = new URL('../../docs/reference/contract-machine.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the table.
test('the page of the machine lists every opcode as the table has it', () => {
  const text = readFileSync(page, 'utf8');
  if (process.env.UPDATE_PAGES) writeFileSync(page, withOpcodes(text));
  expect(readFileSync(page, 'utf8')).toBe(withOpcodes(text));
});
