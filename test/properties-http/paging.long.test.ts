// A second ledger.
import './paging.test.ts';
