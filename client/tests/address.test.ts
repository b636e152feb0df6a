import { expect, test } from 'vitest'
import { readRow, rowAddress } from '../src/report/address'

test('a row is found again by its address', () => {
  const place = { verb: 'survey', table: 'heads', row: 12 }
  expect(rowAddress(place)).toBe('row=survey/heads/12')
  expect(readRow(`#${rowAddress(place)}`)).toEqual(place)
})

test('names with signs stay names', () => {
  const place = { verb: 'a/b', table: 'c d#e', row: 0 }
  expect(readRow(`#${rowAddress(place)}`)).toEqual(place)
})

test.each(['', '#L2H8', '#row=survey/heads', '#row=survey/heads/x', '#row=a/%E0%A4%A/1'])('%s names no row', (hash) => {
  expect(readRow(hash)).toBeNull()
})
