import { chainConformance } from '@subrail/core/testing';
import { describe, test } from 'vitest';
import { solanaUnderTest } from './chain-under-test.js';

describe('the Chain port on Solana, over the local chain', () => {
  chainConformance(test, () => solanaUnderTest());
});
