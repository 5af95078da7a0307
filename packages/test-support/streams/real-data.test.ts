import { expect, it } from 'vitest';
import { findRealData } from './real-data.ts';

it('without the data CI fails and an ordinary clone shows where to get it', () => {
  expect(findRealData('nowhere', false)).toMatchObject({
    isAbsent: true,
    hint: expect.stringContaining('CONTRIBUTING.md'),
  });
  expect(() => findRealData('nowhere', true)).toThrow(/CI needs the real data in .*nowhere; CONTRIBUTING\.md/);
});
