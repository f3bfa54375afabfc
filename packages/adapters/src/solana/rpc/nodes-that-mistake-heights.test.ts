import { blockhash } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { type Methods, chainOn, charger, nodeWith } from '../tests/chain-on.js';
import { PLAN, WALLET, key } from '../tests/charge-view.js';
import { FUNDED, inContext } from '../tests/funded-charger.js';
import { compile } from '../transaction/message.js';
import { encodeWire } from '../transaction/wire.js';

const SLOT = 5_000n;

/** A node at slot 5,000 with a height, and the last height at which its latest blockhash can land. */
const nodeAt = (blockHeight: bigint, lastValidBlockHeight: bigint): Methods => ({
  ...FUNDED,
  getEpochInfo: () => ({ absoluteSlot: SLOT, blockHeight }),
  getLatestBlockhash: inContext({ blockhash: key(9), lastValidBlockHeight }),
  isBlockhashValid: inContext(true),
});
const HONEST = nodeAt(1_000n, 1_150n);

const lifetime = { blockhash: blockhash(key(9)), lastValidBlockHeight: 1_150n };
const wire = encodeWire(compile(charger.address, [], lifetime, { unitLimit: 1_000, unitPrice: 0n }));

const unavailable = { ok: false, unavailable: { kind: 'transport' } };

// checkout#own-blockhash, attempts#retrying-a-silent-node
describe.each([
  ['gives its slot for its height', nodeAt(SLOT, 1_150n)],
  ['counts the life of a blockhash in slots', nodeAt(1_000n, SLOT + 150n)],
  ['gives a height of long ago', nodeAt(10n, 1_150n)],
])('a node that %s', (_, mistaken) => {
  it.each([
    ['alone, is not believed', [mistaken], null],
    ['before an honest one, is passed over', [mistaken, HONEST], 1_150n],
  ])('%s', async (_case, nodes, expected) => {
    const rpc = nodes.map((methods) => nodeWith(methods).transport);
    const { chain } = chainOn({}, { rpc });
    const built = await chain.build({ kind: 'cancel', plan: PLAN, wallet: WALLET });
    const read = await chain.readLifetime(wire);
    if (expected === null) expect([built, read]).toEqual([unavailable, unavailable]);
    else {
      expect(built).toMatchObject({ ok: true, value: { lastValidBlockHeight: expected } });
      expect(read).toEqual({ ok: true, value: expected });
    }
  });
});
