import { describe, expect, test } from 'vitest'
import { columnSays, exampleFilter, inFull, written } from '../src/report/cells'
import { filtered, readFilter, type Rows } from '../src/report/filter'
import { next, sorted } from '../src/report/sort'
import type { Column } from '../src/wire'

const column = (name: string, kind: Column['kind']): Column => ({ name, kind, says: name, unit: '', better: null })

const rows: Rows = {
  columns: [
    column('head', 'text'),
    column('entropy', 'number'),
    column('. or ,', 'number'),
    column('role', 'text'),
    column('found', 'truth'),
  ],
  data: [
    ['L10H1', 'L2H8', 'L2H1', 'L0H0'],
    [2.5, null, 0.5, -1],
    [0.1, 0.2, 0.3, 0.4],
    ['broad', 'previous token', 'Broad', null],
    [true, false, true, true],
  ],
  count: 4,
}

function found(query: string): number[] {
  return filtered(rows, readFilter(query, rows.columns))
}

describe('the filter', () => {
  test.each([
    ['', [0, 1, 2, 3]],
    ['BROAD', [0, 2]],
    ['l2', [1, 2]],
    ['entropy > 0.5', [0]],
    ['entropy>=0.5', [0, 2]],
    ['entropy < 0', [3]],
    ['entropy != 2.5', [1, 2, 3]],
    ['Entropy = −1', [3]],
    ['role = broad', [0, 2]],
    ['role = previous token', [1]],
    ['role = "previous token"', [1]],
    ["role = 'previous token'", [1]],
    ['role != broad', [1, 3]],
    ['found = true, entropy < 2', [2, 3]],
    ['found = true and entropy < 2', [2, 3]],
    ['l2, broad', [2]],
    ['". or ," > 0.25', [2, 3]],
    ['0.1', [0]],
  ])('%s', (query, kept) => expect(found(query)).toEqual(kept))

  test('what is still being typed leaves all rows', () => expect(found('entropy >')).toEqual([0, 1, 2, 3]))

  test('text that begins like a condition is text', () => {
    expect(readFilter('<script>', rows.columns).problem).toBeNull()
    expect(readFilter('"a = b"', rows.columns).problem).toBeNull()
    expect(found('<script>')).toEqual([])
  })

  test.each([
    ['entropie > 2', 'There is no column “entropie”'],
    ['entropy > two', '“entropy” holds numbers; “two” is none.'],
    ['role > broad', '“role” holds no numbers; compare it with = or !=.'],
  ])('%s is answered with what is wrong', (query, problem) => {
    expect(readFilter(query, rows.columns).problem).toContain(problem)
    expect(found(query)).toEqual([0, 1, 2, 3])
  })
})

describe('the order', () => {
  const all = [0, 1, 2, 3]
  test('numbers by size, missing ones last both ways', () => {
    expect(sorted(rows, all, { column: 1, direction: 'ascending' })).toEqual([3, 2, 0, 1])
    expect(sorted(rows, all, { column: 1, direction: 'descending' })).toEqual([0, 2, 3, 1])
  })
  test('names by the numbers in them', () => {
    expect(sorted(rows, all, { column: 0, direction: 'ascending' })).toEqual([3, 2, 1, 0])
  })
  test('equal rows stay as they were, also downwards', () => {
    expect(sorted(rows, all, { column: 4, direction: 'descending' })).toEqual([0, 2, 3, 1])
  })
  test('none is as it was', () => expect(sorted(rows, [2, 0], null)).toEqual([2, 0]))
  test('a column goes up, down, and back', () => {
    const up = next(null, 1)
    const down = next(up, 1)
    expect([up, down, next(down, 1)]).toEqual([{ column: 1, direction: 'ascending' }, { column: 1, direction: 'descending' }, null])
    expect(next(down, 2)).toEqual({ column: 2, direction: 'ascending' })
  })
})

describe('cells', () => {
  test('show what is short, and keep the rest for their title', () => {
    const long = 'w'.repeat(100)
    expect([written(null), written(0.123456), written(true), written('a')]).toEqual(['', '0.1235', 'yes', 'a'])
    expect([inFull(null), inFull('a'), inFull(0.123456), inFull(long)]).toEqual([undefined, undefined, '0.123456', long])
    expect(written(long).length).toBeLessThan(70)
  })
  test('stand in columns that say what they hold', () => {
    expect(columnSays(column('role', 'text'))).toBe('role')
    expect(columnSays({ ...column('kl', 'number'), says: 'distance', unit: 'nats', better: 'lower' })).toBe('distance (nats); lower is better')
  })
  test('give an example of a filter, of a number that is no count', () => {
    expect(exampleFilter([column('head', 'text'), column('words', 'number'), column('share', 'number')], [['L0H0'], [3], [0.25]])).toBe('share > 0.5')
    expect(exampleFilter([column('head', 'text')], [['L0H0']])).toBe('head = value')
  })
})
