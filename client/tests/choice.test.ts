import { expect, test } from 'vitest'
import { firstChoice, fitted, headsOf, layersOf, picked, told } from '../src/attention/choice'
import { isOff, switched } from '../src/attention/off'
import { smallLook } from './looks'

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
  expect(told('shown', false)).toBe('')
  expect(told('hidden', false)).toBe('Special tokens hidden; rows no longer sum to 100 %.')
  expect(told('renormalised', true)).toBe('Pieces joined to words. Special tokens hidden; rows rescaled to 100 %.')
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
})
