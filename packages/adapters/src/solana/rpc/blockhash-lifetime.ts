/** The number of blocks in which a transaction with a blockhash can land (program#blockhash-lifetime). */
export const BLOCKHASH_LIFETIME_BLOCKS = 150n;
