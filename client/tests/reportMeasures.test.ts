import { describe, expect, test } from 'vitest'
import { amongSteps, fullLabel, grouped, highest, matching, openHeads, range, rank, spanOf, stepsOf, telling, toldFully, toldValue } from '../src/report/measures'
import { colours, levelColour, onScale, signs } from '../src/report/palette'
import { dark, light } from '../src/theme.svelte'
import type { Atlas, Categories, Level, Numbers } from '../src/wire'

function numbers(values: (number | null)[], more: Partial<Numbers> = {}): Numbers {
  return { name: 'n', label: 'entropy', group: 'survey: overview', about: '', values, low: null, high: null, baseline: null, percent: false, along: '', kind: 'number', ...more }
}
const level = (word: string, colour = '#0072B2', whole: string | null = null): Level => ({ word, colour, whole })
const roles: Categories = {
  name: 'survey.role', label: 'role', group: 'survey: overview', about: '', along: '', kind: 'category', role: true,
  values: ['none', 'wide', null, 'a bit wide'],
  levels: [level('rare'), level('wide', '#F0E442'), level('a bit wide', '#F0E442', 'wide'), level('none', '#B8B8B8')],
}

describe('ranks', () => {
  const measure = numbers([0.5, 0.9, null, 0.5, 0.1])
  test('the largest is first, equals share the better place, missing ones do not count', () => {
    expect([0, 1, 2, 3, 4].map((head) => rank(measure, head)?.place ?? null)).toEqual([2, 1, null, 2, 4])
    expect(rank(measure, 4)).toEqual({ place: 4, of: 4 })
  })
  test('are told with value and interval', () => {
    const told = numbers([0.25, 0.5], { low: [0.2, null], high: [0.3, null], percent: true })
    expect(toldFully(told, 0)).toBe('25.0\u202f% (20.0\u202f% to 30.0\u202f%), 2nd of 2')
    expect(toldFully(told, 1)).toBe('50.0\u202f%, 1st of 2')
    expect(toldFully(measure, 2)).toBe('not measured')
    expect(toldValue(roles, 1)).toBe('wide')
  })
})

test('the range leaves out what is missing', () => {
  expect(range([null, 3, -1])).toEqual({ low: -1, high: 3 })
  expect(range([null])).toBeNull()
})

test('groups keep their order, and a text narrows the list', () => {
  const other = numbers([1], { name: 'o', label: 'nsubj', group: 'syntax: relation found', about: 'relation found' })
  expect(grouped([roles, other, numbers([1])]).map((group) => [group.name, group.measures.length])).toEqual([
    ['survey: overview', 2], ['syntax: relation found', 1],
  ])
  expect(matching([roles, other], ' Relation')).toEqual([other])
  expect([fullLabel(other), fullLabel(roles)]).toEqual(['relation found: nsubj', 'role'])
})

describe('what stands out', () => {
  const values = Array.from({ length: 20 }, (_, head) => head)
  test('the three largest above their baseline', () => {
    const measure = numbers(values, { baseline: values.map(() => 17.5) })
    expect([16, 17, 18, 19].map((head) => highest([measure, roles], head).length)).toEqual([0, 0, 1, 1])
  })
  test('nothing without a baseline, among few heads, or where many are equal', () => {
    expect(highest([numbers(values)], 19)).toEqual([])
    expect(highest([numbers([1, 2], { baseline: [0, 0] })], 1)).toEqual([])
    expect(highest([numbers(values.map(() => 1), { baseline: values.map(() => 0) })], 3)).toEqual([])
  })
})

test('the first card is of the foremost role', () => {
  const heads = [0, 1, 2, 3].map((index) => ({ name: `L0H${index}`, stack: 'encoder' as const, layer: 0, index }))
  const atlas: Atlas = { heads, measures: [roles], places: [], cards: [] }
  expect(telling(atlas)).toBe('L0H1')
  expect(telling({ ...atlas, measures: [{ ...roles, role: false }, { ...roles, label: 'what it does' }] })).toBe('L0H1')
  expect(telling({ ...atlas, measures: [{ ...roles, role: false }] })).toBe('L0H0')
  expect(telling({ ...atlas, measures: [] })).toBe('L0H0')
})

describe('colours', () => {
  test('go from the smallest to the largest, or both ways from zero', () => {
    expect([1, 2, 3].map((value) => onScale(value, { low: 1, high: 3 }))).toEqual([0, 0.5, 1])
    expect([-4, 0, 2].map((value) => onScale(value, { low: -4, high: 2 }))).toEqual([-1, 0, 0.5])
    expect(onScale(7, { low: 7, high: 7 })).toBe(0.5)
  })
  test('around zero, reach as far as chance does, and are pale where it is open on which side a number is', () => {
    const effects = numbers([-1, 2, 0.5, null], { low: [-5, -2, 0.1, null], high: [3, 6, 0.9, null] })
    expect(spanOf(effects)).toEqual({ low: -4, high: 4 })
    expect(openHeads(effects)).toEqual([true, true, false, false])
    expect(colours(effects, light)).toEqual(['#f6e9dd', '#c5dced', '#dae8f3', null])
    expect(colours({ ...effects, low: null, high: null }, light)[1]).toBe('#0a3462')
  })
  test('of numbers that are never below zero stay as they are', () => {
    const shares = numbers([0.1, 0.5], { low: [-0.1, 0.4], high: [0.3, 0.6] })
    expect([spanOf(shares), openHeads(shares)]).toEqual([{ low: 0.1, high: 0.5 }, [false, false]])
  })
  test('missing heads have none, and what holds partly is half as strong', () => {
    expect(colours(roles, light)).toEqual(['#B8B8B8', '#F0E442', null, '#f8f2a1'])
    expect(colours(roles, dark)[3]).toBe('#827e2f')
    expect(colours(numbers([null, null]), light)).toEqual([null, null])
    expect(levelColour(roles, 'unheard of', light)).toBe(light.faint)
  })
})

describe('signs', () => {
  test('are short, different, and tell what is partly', () => {
    const levels = [level('previous'), level('points'), level('a bit points', '#0072B2', 'points'), level('12'), level('broad')]
    expect([...signs(levels).values()]).toEqual(['P', 'Po', '~P', '12', 'B'])
  })
  test('never run out', () => {
    const levels = ['aaa', 'aaaa', 'aaaaa', '<<<', '>>>'].map((word) => level(word))
    expect(new Set(signs(levels).values()).size).toBe(levels.length)
  })
})

describe('steps that follow each other', () => {
  const step = (name: string, values: (number | null)[], more: Partial<Numbers> = {}) => numbers(values, { name, along: 'series', ...more })
  test('have one colour for one number', () => {
    const all = [step('a', [0, 1]), step('b', [1, null]), step('c', [0.5, 4])]
    const steps = stepsOf(all[0]!, [...all, numbers([9])])
    expect(steps).toEqual(all)
    const [first, second, third] = steps.map((one) => colours(amongSteps(one, steps), light))
    expect(second).toEqual([first![1], null])
    expect(new Set([first![0], first![1], third![0], third![1]]).size).toBe(4)
  })
  test('diverge together, as far as the usual interval of all', () => {
    const steps = [step('a', [0.5, 0], { low: [0, -2], high: [1, 2] }), step('b', [-1, 1])]
    // The intervals of the first are 1 and 4 wide: half of their median is 1.25.
    expect(steps.map((one) => spanOf(amongSteps(one, steps) as Numbers))).toEqual([{ low: -1.25, high: 1.25 }, { low: -1.25, high: 1.25 }])
  })
  test('are not those of a measure that stands alone', () => {
    const alone = numbers([1, 2])
    expect(stepsOf(alone, [alone, numbers([3])])).toEqual([])
    expect(spanOf(amongSteps(alone, []) as Numbers)).toEqual({ low: 1, high: 2 })
    expect(amongSteps(roles, [roles])).toBe(roles)
  })
})
