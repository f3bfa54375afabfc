/** The number of blocks for which a blockhash is valid, and in which its transaction can land (program#blockhash-lifetime). */
export const BLOCKHASH_LIFETIME_BLOCKS = 150n;
