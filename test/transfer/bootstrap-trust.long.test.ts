// Of ledger ids of both lengths.
import './bootstrap-trust.test.ts';
