import { describe, expect, test } from 'vitest'
import { brief, duration, ordinal, significant, tick, ticks, told, unbroken } from '../src/report/numbers'

describe('numbers in tables', () => {
  test.each([
    [0.93182, '0.9318'],
    [4.27, '4.270'],
    [-0.000123456, '-0.0001235'],
    [0.0000123456, '1.235e-5'],
    [12345.6, '12346'],
    [9999.96, '10000'],
    [20000, '20000'],
    [0, '0'],
  ])('%d', (value, text) => expect(significant(value)).toBe(text))
})

describe('numbers in texts', () => {
  test('shares are told in percent', () => expect(told(0.1234, true)).toBe('12.3\u202f%'))
  test('no line ends before a sign', () =>
    expect(unbroken('right in 62 % (53 to 70 %), p = 0.05')).toBe('right in 62\u00a0% (53 to 70\u00a0%), p\u00a0=\u00a00.05'))
  test('a minus is a minus', () => expect(told(-1.5)).toBe('\u22121.50'))
  test('what rounds to nothing has no sign', () => expect(told(-0.0001, true)).toBe('0.0\u202f%'))
  test('a tick has no idle zeros', () => expect([tick(0.5, true), tick(-0.2)]).toEqual(['50\u202f%', '\u22120.2']))
})

test('a cell holds at most four letters', () => {
  expect([brief(0.934), brief(-0.5), brief(4.27), brief(72.4), brief(0.001), brief(12345), brief(0.127, true)]).toEqual([
    '.93', '\u2212.50', '4.3', '72', '0', null, '13',
  ])
})

test('ordinals, with the teens', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal)).toEqual([
    '1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '102nd', '111th',
  ])
})

test('durations grow coarser', () => {
  expect([6.42, 54.4, 119.6, 700, 8100].map(duration)).toEqual(['6.4 s', '54 s', '120 s', '12 min', '2 h 15 min'])
})

describe('ticks', () => {
  test('are round and lie inside', () => expect(ticks(-0.03, 0.27, 4)).toEqual([0, 0.1, 0.2]))
  test('cross zero', () => expect(ticks(-1, 1, 4)).toEqual([-1, -0.5, 0, 0.5, 1]))
  test('of a single value are that value', () => expect(ticks(3, 3, 4)).toEqual([3]))
})
