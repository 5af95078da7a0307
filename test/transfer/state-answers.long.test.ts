// More requests, and a longer past.
import './state-answers.test.ts';
