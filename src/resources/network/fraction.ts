// A fraction in the mirror node's form: nine decimals of a 32-bit float, in Java's notation.
import { Type } from '@sinclair/typebox';
import type { Kind } from '../../api/values/kind.ts';

type Fraction = { numerator: bigint; denominator: bigint };

export const fraction: Kind<Fraction> = { schema: Type.Number(), write: formatFraction };

const decimals = 1_000_000_000n;

function formatFraction({ numerator, denominator }: Fraction): string {
  if (denominator === 0n) return '0.0';
  return formatFloat(Math.fround(Number(divideHalfUp(numerator * decimals, denominator)) / Number(decimals)));
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const [one, other] = [abs(dividend), abs(divisor)];
  const quotient = (2n * one + other) / (2n * other);
  return negative ? -quotient : quotient;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** The fewest digits that give the same float, one of them after the dot: 1.0, 1.0E-4, 1.0E7. */
function formatFloat(float: number): string {
  if (float === 0) return '0.0';
  let exponential = '';
  for (let digits = 0; digits < 9; digits++) {
    exponential = float.toExponential(digits);
    if (Math.fround(Number(exponential)) === float) break;
  }
  const size = Math.abs(float);
  if (size >= 1e-3 && size < 1e7) {
    const text = String(Number(exponential));
    return text.includes('.') ? text : `${text}.0`;
  }
  const [mantissa, exponent] = exponential.split('e') as [string, string];
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
