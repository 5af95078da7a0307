// Code from names of opcodes: `PUSH 5 PUSH @end JUMP … :end JUMPDEST`. PUSH takes the shortest form of its number;
// @label is the place of :label, in two bytes.
import { opcodeName } from '../../machine/opcodes/table.ts';

const codes = new Map(Array.from({ length: 256 }, (_, code) => [opcodeName(code), code]));

export function assemble(text: string): Uint8Array {
  const bytes: number[] = [];
  const labels = new Map<string, number>();
  const uses: [at: number, label: string][] = [];
  const words = text.trim().split(/\s+/);
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word.startsWith(':')) labels.set(word.slice(1), bytes.length);
    else if (word === 'PUSH') {
      const argument = words[++index]!;
      if (argument.startsWith('@')) {
        uses.push([bytes.length + 1, argument.slice(1)]);
        bytes.push(0x61, 0, 0);
      } else {
        const digits = BigInt(argument).toString(16);
        const constant = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
        bytes.push(0x5f + constant.length, ...constant);
      }
    } else {
      const code = codes.get(word);
      if (code === undefined) throw new Error(`There is no opcode ${word}`);
      bytes.push(code);
    }
  }
  for (const [at, label] of uses) {
    const place = labels.get(label);
    if (place === undefined) throw new Error(`There is no label ${label}`);
    bytes[at] = place >> 8;
    bytes[at + 1] = place & 255;
  }
  return Uint8Array.from(bytes);
}
