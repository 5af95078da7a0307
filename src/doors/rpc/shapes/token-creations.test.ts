import { expect, it } from 'vitest';
import { isTokenCreation } from './token-creations.ts';

const selectors = [
  ...['9dc711e0', '9c89bb35', 'ea83f293', '5bc7c0e6', '45733969', 'abb54eb5'],
  ...['27d97be3', 'c23baeb6', '0fb65bf3', 'ef2d1098', 'b937581a', '2af0c59a'],
];

it.each(selectors)('%s, which the relay names, creates a token', (selector) => {
  expect(isTokenCreation(Buffer.from(selector, 'hex'))).toBe(true);
  expect(isTokenCreation(Buffer.from(`${selector}00`, 'hex'))).toBe(true);
  expect(isTokenCreation(Buffer.from(selector, 'hex').subarray(0, 3))).toBe(false);
});

it.each(['', 'a9059cbb', '00000000'])('%s does not', (selector) => {
  expect(isTokenCreation(Buffer.from(selector, 'hex'))).toBe(false);
});
