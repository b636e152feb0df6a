import { expect, test } from 'vitest'
import { arcPath, arcRoom, arcsOf, framesOf, linkedMap } from '../src/attention/known'
import { matrixLayout } from '../src/attention/matrix'
import type { LinkedWire } from '../src/wire'

// Owls (0) hang on see (2), mice (3) on see; see is the root.
const links = [
  { query: 0, key: 2, kind: 0 },
  { query: 3, key: 2, kind: 0 },
]
const wire: LinkedWire = {
  verb: 'structure',
  by: 'L0H1',
  query: ['Owls', 'often', 'see', 'mice'],
  key: ['Owls', 'often', 'see', 'mice'],
  same: true,
  weights: [
    [0.1, 0.2, 0.7, 0],
    [1, 0, 0, 0],
    [null, 0, 0, 0],
    [0, 0, 0.5, 0.5],
  ],
  kinds: ['a word and its parent'],
  links,
}
const map = linkedMap(wire)
const layout = { ...matrixLayout(map, 500, 420, arcRoom(links)), left: 100, cell: 20 }

test('arcs go from the middle of a word to the near side of the other, higher the farther', () => {
  // Two steps of 12 above the base, which is 4 above the names; 4 more above all.
  expect(arcRoom(links)).toBe(32)
  const [far, near] = arcsOf(links, layout)
  expect([far!.x1, far!.x2, far!.base, far!.top]).toEqual([110, 146, 28, 4])
  expect([near!.x1, near!.x2, near!.base, near!.top]).toEqual([170, 154, 28, 16])
  // A quarter of both ends and three quarters of the bent points: 28 / 4 + 3 * -4 / 4 is 4.
  expect(arcPath(far!)).toBe('M110 28C110 -4 146 -4 146 28')
})

test('arcs of long texts stay in their room, and a word has none to itself', () => {
  const long = [{ query: 0, key: 128, kind: 0 }, { query: 5, key: 5, kind: 0 }]
  expect(arcRoom(long)).toBe(72)
  expect(arcsOf(long, layout).map((arc) => arc.top)).toEqual([4])
  expect(arcRoom([])).toBe(8)
})

test('frames lie in their cells, below the room of arcs', () => {
  expect(layout.top - matrixLayout(map, 500, 420).top).toBe(32)
  const [frame] = framesOf(links, { ...layout, top: 60 })
  expect(frame).toEqual({ link: links[0], x: 141, y: 61, width: 18, height: 18 })
})

test('a map has all weights, nothing where none is known', () => {
  expect(Array.from(map.weights.slice(8))).toEqual([0, 0, 0, 0, 0, 0, 0.5, 0.5])
  expect(map.key.map((token) => token.text)).toEqual(wire.key)
  expect(Array.from(map.left)).toEqual([1, 1, 1, 1])
})
