import { expect, test } from 'vitest'
import { csv } from '../src/data/csv'

test('fields are quoted where they must be', () => {
  expect(csv(['a', 'b'], [['x,y', 'say "no"'], ['one\ntwo', 1.5], [null, true]])).toBe(
    'a,b\r\n"x,y","say ""no"""\r\n"one\ntwo",1.5\r\n,true\r\n',
  )
})

test('a spreadsheet runs nothing; numbers stay numbers', () => {
  expect(csv(['a', 'b'], [['=1+1', -3], ['-', '@x']])).toBe("a,b\r\n'=1+1,-3\r\n'-,'@x\r\n")
})
