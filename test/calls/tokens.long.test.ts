// More questions, and a larger ledger.
import './tokens.test.ts';
