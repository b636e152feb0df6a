import { describe, expect, test } from 'vitest'
import { gridScene } from '../src/report/grid'
import { mapScene, named, scatterScene } from '../src/report/points'
import { profileScene } from '../src/report/profile'
import type { Circle, Mark, Rect, Scene, Text } from '../src/scene/marks'
import { light } from '../src/theme.svelte'
import type { Atlas, Categories, Numbers } from '../src/wire'

const roles: Categories = {
  name: 'role', label: 'role', group: 'survey', about: '', along: '', kind: 'category', role: true, values: ['broad', 'mixed', 'broad', null],
  levels: [{ word: 'broad', colour: '#F0E442', whole: null }, { word: 'mixed', colour: '#B8B8B8', whole: null }],
}
const score: Numbers = {
  name: 'score', label: 'score', group: 'survey', about: '', along: '', kind: 'number', values: [0, 1, null, 0.5], low: null, high: null, baseline: null, percent: false,
}
const atlas: Atlas = {
  heads: [
    { name: 'L0H0', stack: 'encoder', layer: 0, index: 0 },
    { name: 'L0H1', stack: 'encoder', layer: 0, index: 1 },
    { name: 'L3H0', stack: 'encoder', layer: 3, index: 0 },
    { name: 'L3H1', stack: 'encoder', layer: 3, index: 1 },
  ],
  measures: [roles, score],
  places: [{ head: 0, x: -1, y: 0 }, { head: 1, x: 1, y: 0 }, { head: 2, x: 0, y: 1 }, { head: 3, x: 0, y: -1 }],
  cards: [],
}

function keyed<T extends Mark>(scene: Scene, key: string): T {
  return scene.marks.find((mark) => mark.key === key) as T
}
function texts(scene: Scene): string[] {
  return scene.marks.filter((mark): mark is Text => mark.kind === 'text').map((mark) => mark.text)
}

describe('the grid', () => {
  const scene = gridScene(atlas, roles, light, 400)
  test('has layers as rows, the first on top, and heads as columns', () => {
    const [first, right, below] = ['L0H0', 'L0H1', 'L3H0'].map((name) => keyed<Rect>(scene, `cell-${name}`)) as [Rect, Rect, Rect]
    expect(right.x - first.x).toBe(44)
    expect(right.y).toBe(first.y)
    // Layers 1 and 2 were not looked at: no gap is left for them.
    expect(below.y - first.y).toBe(44)
    expect(below.x).toBe(first.x)
  })
  test('tells each head with its value', () => {
    expect(keyed(scene, 'cell-L0H1').label).toBe('L0H1: role mixed')
    expect(keyed(scene, 'cell-L3H1').label).toBe('L3H1: role not measured')
  })
  test('counts the levels in its legend', () => expect(texts(scene)).toEqual(expect.arrayContaining(['broad · 2', 'mixed · 1'])))
  test('strikes through what was not measured', () => expect(scene.marks.filter((mark) => mark.kind === 'line')).toHaveLength(1))
  test('writes numbers where there is room', () => {
    expect(texts(gridScene(atlas, score, light, 400))).toContain('.50')
    expect(texts(gridScene(atlas, score, light, 60))).not.toContain('.50')
  })
  test('puts very many heads of a layer into several rows', () => {
    const heads = Array.from({ length: 300 }, (_, index) => ({ name: `L0H${index}`, stack: 'sees_earlier' as const, layer: 0, index }))
    const many = gridScene({ ...atlas, heads }, { ...score, values: heads.map(({ index }) => index) }, light, 400)
    const [first, last, under] = ['L0H0', 'L0H19', 'L0H20'].map((name) => keyed<Rect>(many, `cell-${name}`)) as [Rect, Rect, Rect]
    expect([last.x - first.x, last.y]).toEqual([19 * 17, first.y])
    expect([under.x, under.y - first.y]).toEqual([first.x, 17])
    expect(texts(many)).toEqual(expect.arrayContaining(['+20', '+280']))
    expect(many.width).toBeLessThanOrEqual(400)
  })
  test('parts the stacks', () => {
    const two = { ...atlas, heads: atlas.heads.map((head, place) => ({ ...head, stack: place < 2 ? ('encoder' as const) : ('cross' as const) })) }
    expect(texts(gridScene(two, roles, light, 400))).toEqual(expect.arrayContaining(['encoder, head', 'cross, head']))
  })
})

describe('points', () => {
  const map = mapScene(atlas, roles, light, 400, false)
  test('keep distances on the map', () => {
    const [left, right, top, bottom] = [0, 1, 2, 3].map((head) => keyed<Circle>(map, `point-${atlas.heads[head]!.name}`)) as [Circle, Circle, Circle, Circle]
    expect(right.x - left.x).toBeCloseTo(bottom.y - top.y)
    expect(top.y).toBeLessThan(bottom.y)
  })
  test('have a legend only where asked', () => {
    expect(texts(map)).not.toContain('broad · 2')
    expect(texts(mapScene(atlas, roles, light, 400, true))).toContain('broad · 2')
  })
  test('between two measures leave out heads without a value', () => {
    const scatter = scatterScene(atlas, roles, score, score, light, 400, false)
    expect(scatter.marks.filter((mark) => mark.kind === 'circle')).toHaveLength(3)
    expect(keyed<Circle>(scatter, 'point-L0H1').x).toBeGreaterThan(keyed<Circle>(scatter, 'point-L3H1').x)
    expect(keyed<Circle>(scatter, 'point-L0H1').y).toBeLessThan(keyed<Circle>(scatter, 'point-L3H1').y)
  })
  test('are named inside the drawing, also at its edge', () => {
    const flat = { ...atlas, places: atlas.places.slice(0, 2) }
    const wide = mapScene(flat, roles, light, 400, false)
    const scene = named(wide, ['L0H1'], light)
    const tag = scene.marks.at(-1) as Text
    expect(tag.text).toBe('L0H1')
    expect(tag.x).toBeLessThan(keyed<Circle>(wide, 'point-L0H1').x)
    expect(scene.marks).toHaveLength(wide.marks.length + 2)
  })
  test('of heads that lie in one place are drawn too', () => {
    const one = { ...atlas, places: [{ head: 0, x: 2, y: 2 }] }
    expect(keyed<Circle>(mapScene(one, roles, light, 400, false), 'point-L0H0')).toMatchObject({ x: 200, y: 160 })
  })
})

test('the profile: bars as high as their shares', () => {
  const bar = { error: null, baseline: null }
  const scene = profileScene('L0H0', [{ at: -1, value: 0.4, ...bar }, { at: 0, value: 0.2, ...bar }, { at: 1, value: 0, ...bar }], light, 400)
  const heights = scene.marks.filter((mark): mark is Rect => mark.kind === 'rect').map((mark) => mark.height)
  expect(heights[0]! / heights[1]!).toBeCloseTo(2)
  expect(heights[2]).toBe(0)
  expect(texts(scene)).toEqual(expect.arrayContaining(['\u22121', '0', '+1']))
})
