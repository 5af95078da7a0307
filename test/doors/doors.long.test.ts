// Of a ledger with three times as many transactions.
import './doors.test.ts';
