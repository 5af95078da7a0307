import './index-choice.test.ts';
