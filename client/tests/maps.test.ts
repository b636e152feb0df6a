import { expect, test } from 'vitest'
import { axesOf, headMap, isScant, type Shown } from '../src/data/maps'
import { layerThree, smallLook } from './looks'

type Asked = Omit<Shown, 'first'> & { first?: boolean }
const mapOf = (shown: Asked) => headMap(smallLook(), layerThree(), 'encoder', 3, 5, { first: false, ...shown })

function rows(shown: Asked): number[][] {
  const map = mapOf(shown)
  return map.query.map((_, query) =>
    Array.from(map.weights.slice(query * map.key.length, (query + 1) * map.key.length), (weight) => Number(weight.toFixed(4))),
  )
}

test('pieces are as they came', () => {
  expect(rows({ words: false, special: 'shown' })).toEqual([
    [0, 0, 0, 1],
    [0.64, 0.04, 0.16, 0.16],
    [0, 0.36, 0.64, 0],
    [1, 0, 0, 0],
  ])
})

test('to a split word is summed, from it averaged', () => {
  // From playing: the mean of (0.64, 0.2, 0.16) and (0, 1, 0).
  expect(rows({ words: true, special: 'shown' })).toEqual([
    [0, 0, 1],
    [0.32, 0.6, 0.08],
    [1, 0, 0],
  ])
})

test('special tokens are hidden after the joining', () => {
  expect(rows({ words: true, special: 'hidden' })).toEqual([
    [0.6, 0.08],
    [0, 0],
  ])
  expect(rows({ words: false, special: 'hidden' })).toEqual([
    [0.04, 0.16, 0.16],
    [0.36, 0.64, 0],
    [0, 0, 0],
  ])
})

test('rows are rescaled to 1, and stay 0 without any weight', () => {
  // 0.6 / 0.68 and 0.08 / 0.68.
  expect(rows({ words: true, special: 'renormalised' })).toEqual([
    [0.8824, 0.1176],
    [0, 0],
  ])
})

test('tokens follow', () => {
  const map = headMap(smallLook(2), layerThree(), 'encoder', 3, 5, { words: true, special: 'hidden', first: false })
  expect(map.query.map((token) => token.text)).toEqual(['playing', 'well'])
})

test('a head that is not there is named', () => {
  expect(() => headMap(smallLook(), layerThree(), 'encoder', 3, 7, { words: true, special: 'shown', first: false })).toThrow('L3H7')
  expect(() => headMap(smallLook(), layerThree(), 'cross', 3, 5, { words: true, special: 'shown', first: false })).toThrow('no cross')
})

const rounded = (numbers: Float32Array) => Array.from(numbers, (number) => Number(number.toFixed(4)))

test('how much is left of a row is told, before it is rescaled', () => {
  // Of play 0.36, of ing all, of their word 0.68; of well nothing.
  expect(rounded(mapOf({ words: false, special: 'renormalised' }).left)).toEqual([0.36, 1, 0])
  const words = mapOf({ words: true, special: 'renormalised' })
  expect(rounded(words.left)).toEqual([0.68, 0])
  expect([0, 1].map((query) => isScant(words, query))).toEqual([false, true])
  expect(rounded(mapOf({ words: true, special: 'shown' }).left)).toEqual([1, 1, 1])
})

test('of a row without any weight nothing is hidden', () => {
  const empty = headMap(smallLook(), layerThree(), 'encoder', 3, 2, { words: true, special: 'hidden', first: false })
  expect(Array.from(empty.left)).toEqual([1, 1])
})

test('the first token can be hidden where none is special', () => {
  const look = smallLook()
  look.axes[0]!.special[0] = false
  const found = headMap(look, layerThree(), 'encoder', 3, 5, { words: false, special: 'hidden', first: true })
  expect(found.key.map((token) => token.text)).toEqual(['play', 'ing', 'well'])
  expect(rounded(found.left)).toEqual([0.36, 1, 0])
  const kept = headMap(look, layerThree(), 'encoder', 3, 5, { words: false, special: 'hidden', first: false })
  expect(kept.key).toHaveLength(4)
})

test('of two texts, the first key alone can be hidden', () => {
  const look = smallLook()
  const own = look.axes[0]!
  look.axes = [{ ...own, special: [false, false, false, false] }, { ...own, special: [false, false, false, false] }]
  look.parts[0] = { ...look.parts[0]!, stack: 'cross', query: 0, key: 1 }
  const axes = axesOf(look, 'cross', true)
  expect([axes.query.special[0], axes.key.special[0]]).toEqual([false, true])
})
