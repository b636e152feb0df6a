// A small look made by hand, for tests.
import type { LookWire } from '../src/wire'

/** Bytes 0, 51, 102, 153, 204, 255 stand for weights 0, 0.04, 0.16, 0.36, 0.64 and 1. */
export const STEP = 51

/** Pieces [CLS] play ##ing well: one layer with heads 2 and 5, one with head 0; a pair if second is given. */
export function smallLook(second: number | null = null): LookWire {
  const axis = {
    pieces: ['[CLS]', 'play', 'ing', 'well'],
    words: [0, 1, 1, 2],
    names: ['[CLS]', 'playing', 'well'],
    special: [true, false, false, false],
    second,
    written: null,
  }
  const layers = [
    { layer: 3, heads: [2, 5], data: null },
    { layer: 4, heads: [0], data: null },
  ]
  return {
    id: 'abc', title: '', model: 'small', axes: [axis], parts: [{ stack: 'encoder', query: 0, key: 0, layers }],
    output: null, window: 0, windows: 1, notes: [],
  }
}

/** Layer 3: head 2 is all 0; head 5 has the weights below.
 *
 *   [CLS]  0    0    0    1
 *   play   0.64 0.04 0.16 0.16
 *   ing    0    0.36 0.64 0
 *   well   1    0    0    0
 */
export function layerThree(): Uint8Array {
  const head = [0, 0, 0, 5, 4, 1, 2, 2, 0, 3, 4, 0, 5, 0, 0, 0]
  return Uint8Array.from([...head.map(() => 0), ...head.map((steps) => steps * STEP)])
}
