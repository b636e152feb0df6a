import { expect, test } from 'vitest'
import { strongestLinks, type Filter } from '../src/attention/links'
import { percent, strength, weightAt } from '../src/attention/scale'
import type { HeadMap } from '../src/data/maps'

const token = (text: string, second = false) => ({ text, special: false, second, written: false, id: text })
const map = (...weights: number[]): HeadMap => ({
  head: 0,
  query: [token('a'), token('b', true)],
  key: [token('c'), token('d', true)],
  weights: Float32Array.from(weights),
  left: Float32Array.from([1, 1]),
})
const ALL: Filter = { queries: new Set(), keys: new Set(), pair: 'all' }
const ends = (links: ReturnType<typeof strongestLinks>) => Array.from(links.query, (query, at) => [query, links.key[at]])

test('strength runs from nothing to the strongest weight', () => {
  expect(strength(0.25, 0.5, 'linear')).toBe(0.5)
  // A tenth is one of three decades below the strongest.
  expect(strength(0.05, 0.5, 'log')).toBeCloseTo(2 / 3)
  expect(strength(0.0001, 0.5, 'log')).toBe(0)
  expect(strength(0, 0, 'linear')).toBe(0)
  expect(strength(0, 1, 'log')).toBe(0)
  expect(weightAt(2 / 3, 0.5, 'log')).toBeCloseTo(0.05)
  expect(percent(0.1234)).toBe('12.3 %')
})

test('lines too faint to see are left out', () => {
  const links = strongestLinks([map(0.5, 0.25, 0.001, 0)], 'linear', ALL)
  expect(ends(links)).toEqual([[0, 0], [0, 1]])
  expect(Array.from(links.strength)).toEqual([1, 0.5])
  expect(links.top).toBe(0.5)
  // The log scale draws from a tenth of full strength, 2.7 decades below 0.5: 0.000998.
  expect(ends(strongestLinks([map(0.5, 0.25, 0.0009, 0)], 'log', ALL))).toHaveLength(2)
  expect(ends(strongestLinks([map(0.5, 0.25, 0.0011, 0)], 'log', ALL))).toHaveLength(3)
})

test('only the strongest are kept, over all heads', () => {
  const links = strongestLinks([map(0.5, 0.4, 0.3, 0.2), map(0.1, 0.6, 0.1, 0.1)], 'linear', ALL, 2)
  expect(ends(links)).toEqual([[0, 0], [0, 1]])
  expect(Array.from(links.head)).toEqual([0, 1])
  expect(links.visible).toBe(8)
})

test('of equals, as many as there is room for, spread evenly', () => {
  const equal: HeadMap = { ...map(), key: Array.from({ length: 50 }, (_, at) => token(String(at))), weights: new Float32Array(100).fill(0.02) }
  const links = strongestLinks([equal], 'linear', ALL, 10)
  expect(links.query).toHaveLength(10)
  expect(ends(links).filter(([query]) => query === 0)).toHaveLength(5)
})

test('chosen tokens and texts filter', () => {
  const all = map(0.4, 0.3, 0.2, 0.1)
  expect(ends(strongestLinks([all], 'linear', { ...ALL, queries: new Set([1]) }))).toEqual([[1, 0], [1, 1]])
  expect(ends(strongestLinks([all], 'linear', { ...ALL, keys: new Set([1]) }))).toEqual([[0, 1], [1, 1]])
  expect(ends(strongestLinks([all], 'linear', { ...ALL, queries: new Set([0]), keys: new Set([1]) }))).toHaveLength(3)
  expect(ends(strongestLinks([all], 'linear', { ...ALL, pair: 'BA' }))).toEqual([[1, 0]])
  expect(ends(strongestLinks([all], 'linear', { ...ALL, pair: 'AB', queries: new Set([1]) }))).toEqual([])
})

test('a map without any weight has no lines', () => {
  expect(ends(strongestLinks([map(0, 0, 0, 0)], 'log', ALL))).toEqual([])
})
