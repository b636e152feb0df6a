import { expect, test } from 'vitest'
import { filterOf, pinned, pinOf, togglePin, valuesOf, type Beside } from '../src/attention/focus'
import { headMap } from '../src/data/maps'
import { layerThree, smallLook } from './looks'

const map = headMap(smallLook(), layerThree(), 'encoder', 3, 5, { words: true, special: 'shown', first: false })
const written = (values: Beside) => values && values.map((value) => value && Number(value.toFixed(4)))

test('pins stay with their words when others are hidden', () => {
  const pins = [pinOf('query', map.query[2]!)]
  const hidden = headMap(smallLook(), layerThree(), 'encoder', 3, 5, { words: true, special: 'hidden', first: false })
  expect([...pinned(pins, 'query', map.query)]).toEqual([2])
  expect([...pinned(pins, 'query', hidden.query)]).toEqual([1])
  expect([...pinned(pins, 'key', map.key)]).toEqual([])
  expect(togglePin(pins, pins[0]!)).toEqual([])
})

test('lines are of the pinned and of the one pointed at', () => {
  const filter = filterOf(map, [pinOf('query', map.query[0]!)], { side: 'query', at: 1 }, 'all')
  expect([...filter.queries].sort()).toEqual([0, 1])
  expect(filter.keys.size).toBe(0)
})

test('texts of a pair filter only where there is a pair', () => {
  expect(filterOf(map, [], null, 'AB').pair).toBe('all')
  const pair = headMap(smallLook(3), layerThree(), 'encoder', 3, 5, { words: true, special: 'shown', first: false })
  expect(filterOf(pair, [], null, 'AB').pair).toBe('AB')
})

test('from several words the mean, to several the sum', () => {
  const none = { queries: new Set<number>(), keys: new Set<number>(), pair: 'all' as const }
  expect(valuesOf([map], none)).toEqual({ query: null, key: null })
  expect(written(valuesOf([map], { ...none, queries: new Set([1]) }).key)).toEqual([0.32, 0.6, 0.08])
  expect(written(valuesOf([map], { ...none, queries: new Set([0, 1]) }).key)).toEqual([0.16, 0.3, 0.54])
  expect(written(valuesOf([map], { ...none, keys: new Set([0, 2]) }).query)).toEqual([1, 0.4, 1])
})

test('several heads are averaged', () => {
  const empty = headMap(smallLook(), layerThree(), 'encoder', 3, 2, { words: true, special: 'shown', first: false })
  const filter = { queries: new Set([1]), keys: new Set<number>(), pair: 'all' as const }
  expect(written(valuesOf([map, empty], filter).key)).toEqual([0.16, 0.3, 0.04])
})

test('of a pair only the texts asked for count', () => {
  // The second text is the word "well".
  const pair = headMap(smallLook(3), layerThree(), 'encoder', 3, 5, { words: true, special: 'shown', first: false })
  const focus = { queries: new Set([0, 1, 2]), keys: new Set([0, 2]) }
  const values = valuesOf([pair], { ...focus, pair: 'AB' })
  // To "well": 1 from [CLS], 0.08 from "playing".
  expect(written(values.key)).toEqual([null, null, 0.54])
  expect(written(values.query)).toEqual([1, 0.08, null])
  expect(valuesOf([pair], { queries: new Set([2]), keys: new Set([0]), pair: 'AB' })).toEqual({ query: null, key: null })
})
