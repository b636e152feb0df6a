import { expect, test } from 'vitest'
import { canHideFirst, firstChoice, fitted, headsOf, layersOf, picked, scantTold, told } from '../src/attention/choice'
import { isOff, switched, withHeads } from '../src/attention/off'
import { headMap, type Special } from '../src/data/maps'
import type { LookWire } from '../src/wire'
import { layerThree, smallLook } from './looks'

const look = smallLook()

test('the first head of the first layer is shown first', () => {
  expect(firstChoice(look)).toMatchObject({ stack: 'encoder', layer: 3, heads: [2], view: 'lines', words: true })
  expect(layersOf(look, 'encoder')).toEqual([3, 4])
  expect(headsOf(look, 'encoder', 3)).toEqual([2, 5])
})

test('a wish is fulfilled as far as the look can', () => {
  const wish = { ...firstChoice(look), heads: [5, 7] }
  expect(fitted(wish, look).heads).toEqual([5])
  expect(fitted({ ...wish, layer: 4 }, look)).toMatchObject({ layer: 4, heads: [0] })
  expect(fitted({ ...wish, stack: 'cross', layer: 9, scale: 'log' }, look)).toMatchObject({ stack: 'encoder', layer: 3, scale: 'log' })
})

test('heads are picked alone or several', () => {
  expect(picked([2], 5, false)).toEqual([5])
  expect(picked([5], 2, true)).toEqual([2, 5])
  expect(picked([2, 5], 2, true)).toEqual([5])
  expect(picked([5], 5, true)).toEqual([5])
})

test('it is said what was done to the weights', () => {
  const say = (one: LookWire, special: Special, words = false, first = false) => told(one, 'encoder', { words, special, first })
  expect(say(look, 'shown')).toBe('')
  expect(say(look, 'hidden')).toBe('Hidden: special tokens; rows no longer sum to 100 %.')
  expect(say(look, 'renormalised', true)).toBe('Pieces joined to words. Hidden: special tokens; rows rescaled to 100 %.')
  expect(say(look, 'hidden', false, true)).toBe('Hidden: special tokens; rows no longer sum to 100 %.')
})

test('what is not there is not called hidden', () => {
  const bare = smallLook()
  bare.axes[0]!.special = [false, false, false, false]
  const say = (first: boolean) => told(bare, 'encoder', { words: false, special: 'renormalised', first })
  expect(say(false)).toBe('There are no special tokens here, so nothing is hidden.')
  expect(say(true)).toBe('Hidden: the first token; rows rescaled to 100 %.')
  expect([canHideFirst(bare, 'encoder'), canHideFirst(look, 'encoder')]).toEqual([true, false])
  bare.axes[0]!.special = [false, false, false, true]
  expect(say(true)).toBe('Hidden: special tokens and the first token; rows rescaled to 100 %.')
})

test('rows of which little is left are counted', () => {
  const shown = { words: true, special: 'renormalised', first: false } as const
  const map = headMap(look, layerThree(), 'encoder', 3, 5, shown)
  expect(scantTold([map])).toBe('Grey: 1 of 2 rows, of which under 5 % is left.')
  expect(scantTold([headMap(look, layerThree(), 'encoder', 3, 5, { ...shown, special: 'shown' })])).toBe('')
})

test('heads are switched off and on, alone and by layer', () => {
  const one = switched([], 'encoder', 3, [5])
  expect(one).toEqual([{ stack: 'encoder', layer: 3, index: 5 }])
  const layer = switched(one, 'encoder', 3, [2, 5])
  expect(layer).toHaveLength(2)
  expect(isOff(layer, 'encoder', 3, 2)).toBe(true)
  expect(isOff(layer, 'decoder', 3, 2)).toBe(false)
  expect(switched(layer, 'encoder', 3, [2, 5])).toEqual([])
  expect(switched(layer, 'encoder', 3, [2])).toEqual(one)
  expect([withHeads(one, 'encoder', 3, [5], true), withHeads(one, 'encoder', 3, [2, 5], false)]).toEqual([one, []])
})
