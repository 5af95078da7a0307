// Of the other length of ledger ids.
import './bootstrap-trust.test.ts';
