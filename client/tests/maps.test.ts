import { expect, test } from 'vitest'
import { headMap, type Shown } from '../src/data/maps'
import { layerThree, smallLook } from './looks'

function rows(shown: Shown): number[][] {
  const map = headMap(smallLook(), layerThree(), 'encoder', 3, 5, shown)
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
  const map = headMap(smallLook(2), layerThree(), 'encoder', 3, 5, { words: true, special: 'hidden' })
  expect(map.query.map((token) => token.text)).toEqual(['playing', 'well'])
})

test('a head that is not there is named', () => {
  expect(() => headMap(smallLook(), layerThree(), 'encoder', 3, 7, { words: true, special: 'shown' })).toThrow('L3H7')
  expect(() => headMap(smallLook(), layerThree(), 'cross', 3, 5, { words: true, special: 'shown' })).toThrow('no cross')
})
