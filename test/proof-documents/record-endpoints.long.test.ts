// Of longer networks, and of more of their transactions.
import './record-endpoints.test.ts';
