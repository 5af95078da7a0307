// Code as opcodes: every byte is an opcode or pushed, once.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { disassemble } from './disassemble.ts';

it('parts of any code join to the code', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 20 }), (bytes, limit) => {
      const code = Buffer.from(bytes);
      const found: Buffer[] = [];
      let from: number | null = 0;
      while (from !== null) {
        const part = disassemble(code, { from, limit });
        for (const { at, operand } of part.instructions) {
          found.push(code.subarray(at, at + 1), operand ?? Buffer.alloc(0));
        }
        from = part.next;
      }
      expect(Buffer.concat(found)).toEqual(code);
    }),
  );
});

it('pushes have their bytes, fewer where the code ends', () => {
  const { instructions, next } = disassemble(Buffer.from('5f6001fe7f0102', 'hex'), { from: 0, limit: 10 });
  expect(next).toBeNull();
  expect(instructions.map(({ at, name, operand }) => [at, name, operand?.toString('hex')])).toEqual([
    [0, 'PUSH0', undefined],
    [1, 'PUSH1', '01'],
    [3, 'INVALID', undefined],
    [4, 'PUSH32', '0102'],
  ]);
});
