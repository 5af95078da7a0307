import { expect, it } from 'vitest';
import { toOriginForm } from './request-target.ts';

it.each<[typed: string, target: string]>([
  ['/api/v1/blocks?limit=1', '/api/v1/blocks?limit=1'],
  ['http://host:80/api/v1/blocks?limit=1', '/api/v1/blocks?limit=1'],
  ['http://host', '/'],
  ['http://host?limit=1', '/?limit=1'],
  ['*', '*'],
  // A fragment is no part of a target, whatever stands in it.
  ['/api/v1/blocks#x?limit=0', '/api/v1/blocks'],
  ['/api/v1/blocks?limit=1#x&limit=0', '/api/v1/blocks?limit=1'],
  ['http://host/api/v1/blocks#http://other/', '/api/v1/blocks'],
  ['#x', '/'],
])('%s', (typed, target) => {
  expect(toOriginForm(typed)).toBe(target);
});
