// What the benchmark of the pages relies on: of each page it is known whether it is measured, or why not.
import { expect, test } from 'vitest';
import { assertAllMeasured, findUndecided, measuredPages, ownPages } from '../../bench/pages/measured-pages.ts';

test('each page is measured, or it is said why not', () => {
  expect(findUndecided()).toEqual({ undecided: [], unknown: [] });
  const [first, ...others] = ownPages();
  expect(findUndecided([...others, '/no-such-page'])).toEqual({ undecided: ['/no-such-page'], unknown: [first] });
});

test('a page without a question is named', () => {
  const questions = measuredPages.map((page) => ({
    page,
    paths: [`/demo${page.replaceAll(/:\w+/g, '0.0.5')}`],
  }));
  assertAllMeasured(questions, '/demo');
  const without = questions.filter(({ page }) => page !== '/blocks');
  expect(() => assertAllMeasured(without, '/demo')).toThrow('for /blocks');
});
