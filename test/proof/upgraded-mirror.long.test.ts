// Of the other length of ledger ids.
import './upgraded-mirror.test.ts';
