import { expect, test } from 'vitest'
import { filterOf, valuesOf } from '../src/attention/focus'
import { strongestLinks } from '../src/attention/links'
import { cellAt, matrixLayout, savedMatrix } from '../src/attention/matrix'
import { coloured, thumbnail } from '../src/attention/pixels'
import { linesScene, multiplesScene } from '../src/attention/scenes'
import { headMap } from '../src/data/maps'
import type { Mark } from '../src/scene/marks'
import { grey } from '../src/colour'
import { dark, light } from '../src/theme.svelte'
import { layerThree, smallLook } from './looks'

const map = headMap(smallLook(), layerThree(), 'encoder', 3, 5, { words: true, special: 'shown', first: false })
const texts = (marks: Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))

test('lines are drawn between rows of tokens, with the values of a pinned word', () => {
  const filter = filterOf(map, [], { side: 'query', at: 1 }, 'all')
  const scene = linesScene([map], strongestLinks([map], 'linear', filter), valuesOf([map], filter), 'small L3H5', 'a note', light)
  const curves = scene.marks.filter((mark) => mark.kind === 'curve')
  expect(curves).toHaveLength(3)
  expect(new Set(curves.map((curve) => curve.y1)).size).toBe(1)
  expect(curves.map((curve) => curve.y2 - curve.y1)).toEqual([-22, 0, 22])
  expect(texts(scene.marks)).toEqual(['small L3H5', 'a note', '[CLS]', 'playing', 'well', '[CLS]', '32.0 %', 'playing', '60.0 %', 'well', '8.0 %'])
})

test('a matrix has a pixel for each weight and a bar of colours', () => {
  const scene = savedMatrix(map, 'linear', light, 'small L3H5', '')
  const [matrix, bar] = scene.marks.filter((mark) => mark.kind === 'pixels')
  expect([matrix!.columns, matrix!.rows, matrix!.rgb.length]).toEqual([3, 3, 27])
  // The strongest weight is as dark as the end of the bar, nothing as light as its beginning.
  expect(matrix!.rgb.slice(6, 9)).toEqual(bar!.rgb.slice(-3))
  expect(matrix!.rgb.slice(0, 3)).toEqual(bar!.rgb.slice(0, 3))
  expect(texts(scene.marks)).toContain('100.0 %')
})

test('a point is in a cell, or beside the matrix', () => {
  const layout = matrixLayout(map, 500)
  expect(layout.cell).toBe(48)
  expect(cellAt(layout, layout.left + 49, layout.top + 1)).toEqual({ query: 0, key: 1 })
  expect(cellAt(layout, layout.left - 1, layout.top + 1)).toBeNull()
  expect(cellAt(layout, layout.left + 145, layout.top + 1)).toBeNull()
  expect(matrixLayout(map, 10).cell).toBe(2)
})

test('a thumbnail shows the strongest weight of each of its pixels', () => {
  const small = thumbnail(map, 2, 'linear', light)
  // Rows 0 and 1 go to the first pixel, columns alike: the strongest of the four is 0.6.
  expect(Array.from(small.rgb)).toEqual(Array.from(coloured(Float32Array.from([0.6, 1, 1, 0]), 2, 2, 'linear', light).rgb))
  expect([small.columns, small.rows]).toEqual([2, 2])
})

test('all heads stand in rows of layers and columns of heads', () => {
  const other = { ...map, head: 2 }
  const scene = multiplesScene([{ layer: 3, maps: [other, map] }, { layer: 4, maps: [] }], 'log', 'all', '', light)
  const pictures = scene.marks.filter((mark) => mark.kind === 'pixels')
  expect(pictures.map((picture) => picture.x)).toEqual([52, 124])
  expect(texts(scene.marks)).toEqual(['all', '', 'H2', 'H5', 'L3', 'L4'])
})

// Of playing 0.68 is left, of well nothing but what is put there.
const scant = { ...headMap(smallLook(), layerThree(), 'encoder', 3, 5, { words: true, special: 'renormalised', first: false }), weights: Float32Array.from([0.5, 0.25, 0.4, 1]), left: Float32Array.from([0.68, 0.002]) }

test('lines from rows of which little is left are grey, and do not set the scale', () => {
  const filter = filterOf(scant, [], null, 'all')
  const links = strongestLinks([scant], 'linear', filter)
  expect(links.top).toBe(0.5)
  expect(Array.from(links.strength)).toEqual([1, 0.5, expect.closeTo(0.8), 1])
  const scene = linesScene([scant], links, valuesOf([scant], filter), '', '', light)
  const curves = scene.marks.filter((mark) => mark.kind === 'curve')
  expect(curves.map((curve) => curve.stroke)).toEqual([light.accent, light.accent, grey(1, light), grey(1, light)])
  const [first, second] = scene.marks.filter((mark) => mark.kind === 'text').slice(2)
  expect([first!.fill, second!.fill]).toEqual([light.ink, light.faint])
  const allScant = { ...scant, left: Float32Array.from([0, 0]) }
  expect(strongestLinks([allScant], 'linear', filter).top).toBe(1)
})

test.each([light, dark])('rows of which little is left are grey in a matrix, small or large', (theme) => {
  const own = coloured(Float32Array.from([0.5, 0.25]), 1, 2, 'linear', theme).rgb
  const scene = savedMatrix(scant, 'linear', theme, '', '')
  const [matrix] = scene.marks.filter((mark) => mark.kind === 'pixels')
  expect(Array.from(matrix!.rgb.slice(0, 6))).toEqual(Array.from(own))
  const end = parseInt(grey(1, theme).slice(1), 16)
  expect(Array.from(matrix!.rgb.slice(9))).toEqual([end >> 16, (end >> 8) & 255, end & 255])
  expect(Array.from(thumbnail(scant, 2, 'linear', theme).rgb)).toEqual(Array.from(matrix!.rgb))
  // One pixel for both rows shows the one of which enough is left.
  expect(Array.from(thumbnail(scant, 1, 'linear', theme).rgb)).toEqual(Array.from(own.slice(0, 3)))
  expect(texts(scene.marks)).toContain('50.0 %')
})
