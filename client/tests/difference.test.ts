import { expect, test } from 'vitest'
import { FIRST, fitted, fittedIn, headsIn, layersIn, lookWith, nameOf, ownHeads } from '../src/attention/choice'
import { differenceOf } from '../src/attention/difference'
import { matrixLayout, savedMatrix } from '../src/attention/matrix'
import { points } from '../src/attention/scale'
import { headMap, type HeadMap } from '../src/data/maps'
import { diverging } from '../src/colour'
import { light } from '../src/theme.svelte'
import { smallLook } from './looks'

function map(words: string[], weights: number[]): HeadMap {
  const tokens = words.map((text) => ({ text, special: false, second: false, written: false, id: `0 ${text}` }))
  return { head: 0, query: tokens, key: tokens, weights: Float32Array.from(weights), left: new Float32Array(words.length).fill(1) }
}

const one = map(['a', 'b'], [1, 0, 0.5, 0.5])
const other = map(['[CLS]', 'b', 'a'], [1, 0, 0, 0, 0.25, 0.75, 0.5, 0.25, 0.25])

test('tokens that both have are compared, in the order of the first', () => {
  const difference = differenceOf(one, other)
  expect(difference.query.map((token) => token.text)).toEqual(['a', 'b'])
  // a to a: 0.25 less 1; a to b: 0.25 less 0; b to a: 0.75 less 0.5; b to b: 0.25 less 0.5.
  expect([...difference.weights]).toEqual([-0.75, 0.25, 0.25, -0.25])
  expect([[...difference.one], [...difference.other], difference.alone]).toEqual([[1, 0, 0.5, 0.5], [0.25, 0.25, 0.75, 0.25], 1])
  expect(differenceOf(one, map(['c'], [1])).weights).toHaveLength(0)
  const scant = { ...other, left: Float32Array.from([1, 0.25, 1]) }
  expect([...differenceOf(one, scant).left]).toEqual([1, 0.25])
})

test('what rounding alone may bring about is no difference, and its bar goes both ways', () => {
  const step = (bytes: number) => (bytes / 255) ** 2
  const difference = differenceOf(map(['a'], [step(100)]), map(['a'], [step(101)]))
  expect([...difference.weights]).toEqual([0])
  expect(differenceOf(map(['a'], [step(100)]), map(['a'], [step(102)])).weights[0]).toBeCloseTo(step(102) - step(100))
  const more = differenceOf(map(['a'], [0.25]), map(['a'], [0.5]))
  const texts = savedMatrix(more, 'linear', light, 'T', '').marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
  expect(texts).toEqual(expect.arrayContaining(['−25.0 points', '+25.0 points']))
})

test('the rounding of a word of several pieces is that of all of them', () => {
  const look = smallLook()
  look.axes = [{ ...look.axes[0]!, pieces: ['a', '##b', '##c', '##d'], words: [0, 0, 0, 0], names: ['abcd'], special: [false, false, false, false] }]
  look.parts = [{ ...look.parts[0]!, query: 0, key: 0, layers: [{ layer: 3, heads: [2], data: null }] }]
  const of = (byte: number, words: boolean) =>
    headMap(look, new Uint8Array(16).fill(byte), 'encoder', 3, 2, { words, special: 'shown', first: false })
  // Each piece by one step, of which its own rounding is one; their sum by two.
  expect([...differenceOf(of(100, true), of(101, true)).weights]).toEqual([0])
  expect(differenceOf(of(100, true), of(102, true)).weights[0]).toBeGreaterThan(0)
  expect([...differenceOf(of(100, false), of(101, false)).weights]).toEqual(new Array(16).fill(0))
})

test('what is less has the colours of a loss, and the bar of colours goes both ways', () => {
  const scene = savedMatrix(differenceOf(one, other), 'linear', light, 'T', '')
  const [matrix, bar] = scene.marks.filter((mark) => mark.kind === 'pixels')
  const ends = [-1, 1].map((at) => parseInt(diverging(at, light).slice(1), 16))
  const rgb = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255]
  expect([...matrix!.rgb.slice(0, 3)]).toEqual(rgb(ends[0]!))
  expect([[...bar!.rgb.slice(0, 3)], [...bar!.rgb.slice(-3)]]).toEqual(ends.map(rgb))
  const texts = scene.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
  expect(texts).toEqual(expect.arrayContaining(['−75.0 points', '+75.0 points']))
  expect([points(0.1), points(-0.1), points(0.0001)]).toEqual(['+10.0 points', '−10.0 points', '0.0 points'])
})

test('a matrix uses the room there is', () => {
  const wide = map(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'], new Array<number>(100).fill(0.1))
  expect(matrixLayout(wide, 2000).cell).toBe(48)
  const low = matrixLayout(wide, 2000, 360)
  expect(low.height).toBeLessThanOrEqual(360)
  expect(low.height).toBeGreaterThan(340)
  expect(matrixLayout(wide, 2000, 50).cell).toBe(14)
})

test('of two looks beside each other any layer and head can be chosen', () => {
  const deeper = smallLook()
  deeper.parts[0]!.layers.push({ layer: 7, heads: [0, 9], data: null })
  const looks = [smallLook(), deeper]
  expect(layersIn(looks, FIRST)).toEqual([3, 4, 7])
  const wish = { ...FIRST, layer: 7, heads: [9] }
  expect(fitted(wish, lookWith(wish, looks))).toMatchObject({ layer: 7, heads: [9] })
  expect(lookWith({ ...FIRST, layer: 8 }, looks)).toBe(looks[0])
  expect(headsIn(looks, { ...FIRST, layer: 7 })).toEqual([0, 9])
})

test('a head by its name is the same head in each look, or none', () => {
  const wider = smallLook()
  wider.parts = [{ ...wider.parts[0]!, stack: 'decoder', layers: [{ layer: 3, heads: [2, 5, 8], data: null }] }]
  const looks = [smallLook(), wider]
  // The first look has the layer, but not this head.
  const wish = { ...FIRST, layer: 3, heads: [8] }
  expect(fittedIn(wish, looks)).toMatchObject({ layer: 3, heads: [8] })
  expect(looks.map((look) => ownHeads(look, wish, looks).heads)).toEqual([[], [8]])
  const both = { ...FIRST, layer: 3, heads: [5, 8] }
  expect(fittedIn(both, looks).heads).toEqual([5, 8])
  expect(looks.map((look) => ownHeads(look, both, looks))).toEqual([{ stack: 'encoder', heads: [5] }, { stack: 'decoder', heads: [5, 8] }])
  expect(ownHeads(looks[1]!, { ...FIRST, layer: 4, heads: [0] }, looks).heads).toEqual([])
})

test('beside a look with several stacks, a head is that of its stack alone', () => {
  const translator = smallLook()
  translator.parts.push({ ...translator.parts[0]!, stack: 'cross' })
  const looks = [smallLook(), translator]
  const cross = { ...FIRST, stack: 'cross' as const, layer: 3, heads: [2] }
  expect(looks.map((look) => ownHeads(look, cross, looks).heads)).toEqual([[], [2]])
  expect([lookWith(cross, looks), headsIn(looks, cross), layersIn(looks, cross)]).toEqual([translator, [2, 5], [3, 4]])
  expect(looks.map((look) => ownHeads(look, { ...cross, stack: 'encoder' }, looks).heads)).toEqual([[2], [2]])
})

test('a head is named with its stack where there are several', () => {
  const look = smallLook()
  expect(nameOf(look, { stack: 'encoder', layer: 3 }, [2, 5])).toBe('L3H2, H5')
  look.parts.push({ ...look.parts[0]!, stack: 'cross' })
  expect(nameOf(look, { stack: 'cross', layer: 0 }, [0])).toBe('cross:L0H0')
})
