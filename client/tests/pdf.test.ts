import { describe, expect, it } from 'vitest'
import { unpack } from '../src/data/packed'
import type { Mark } from '../src/scene/marks'
import { toPdf } from '../src/scene/pdf'
import { pdfNumber, pdfString } from '../src/scene/pdffile'

/** Bytes as text, a letter for each. */
function letters(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

async function written(...marks: Mark[]): Promise<string> {
  return letters(await toPdf({ width: 40, height: 30, paper: '#ffffff', title: 'ä 你', marks }))
}

/** The streams of a file, inflated. */
function streams(file: string): Promise<string[]> {
  const found = [...file.matchAll(/stream\n([\s\S]*?)\nendstream/g)]
  return Promise.all(found.map(async ([, content]) => letters(await unpack(btoa(content!)))))
}

it('writes numbers without exponents', () => {
  expect([0.1 + 0.2, -0.00001, 1e-7, 12, -3.14159].map(pdfNumber)).toEqual(['0.3', '0', '0', '12', '-3.1416'])
  expect(() => pdfNumber(NaN)).toThrow('no number')
})

it('escapes what would end a string', () => {
  expect(pdfString([40, 97, 41, 92, 0xe9])).toBe('(\\(a\\)\\\\\\351)')
})

describe('a file', () => {
  const text = { kind: 'text', x: 20, y: 10, text: '(Hi)', size: 10, fill: '#ff0000', anchor: 'middle' } as const
  const pixels = { kind: 'pixels', x: 1, y: 2, width: 6, height: 8, columns: 2, rows: 1 } as const

  it('finds every object where its table says', async () => {
    const file = await written(text, { ...pixels, rgb: Uint8Array.of(1, 2, 3, 4, 5, 6) })
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)![1])
    const lines = file.slice(start).split('\n')
    expect(lines.slice(0, 3)).toEqual(['xref', '0 9', '0000000000 65535 f '])
    for (let number = 1; number < 9; number++) {
      const offset = Number(lines[number + 2]!.slice(0, 10))
      expect(file.slice(offset, offset + 8)).toBe(`${number} 0 obj\n`)
    }
    expect(file).toContain('/MediaBox [0 0 30 22.5]')
    expect(file).toContain('/Title <feff00e400204f60>')
  })

  it('centres text by its width', async () => {
    // ( 333, H 722, i 222, ) 333: 1.61 times the size, half of it to the left of 20.
    const [content] = await streams(await written(text))
    expect(content!.split('\n').slice(3)).toEqual([
      'q',
      '1 0 0 rg',
      'BT /R 10 Tf',
      '1 0 0 -1 11.95 10 Tm',
      '(\\(Hi\\)) Tj ET',
      'Q',
    ])
  })

  it('turns text clockwise about its place', async () => {
    const [content] = await streams(await written({ ...text, anchor: 'end', turn: 90 }))
    expect(content).toContain('0 1 1 0 20 -6.1 Tm')
  })

  it('holds pixels as they are', async () => {
    const [image, content] = await streams(await written({ ...pixels, rgb: Uint8Array.of(1, 2, 3, 4, 5, 6) }))
    expect(image).toBe('\x01\x02\x03\x04\x05\x06')
    expect(content).toContain('6 0 0 -8 1 10 cm\n/I0 Do')
  })

  it('shares states of opacity and is the same each time', async () => {
    const curve = { kind: 'curve', x1: 0, y1: 1, x2: 10, y2: 7, stroke: '#000000', strokeWidth: 2 } as const
    const marks = [0.5, 0.501, 0.25].map((opacity) => ({ ...curve, opacity }))
    const file = await written(...marks)
    expect(file).toContain('/ExtGState << /O0.5 << /ca 0.5 /CA 0.5 >> /O0.25 << /ca 0.25 /CA 0.25 >> >>')
    expect((await streams(file))[0]).toContain('/O0.25 gs\n0 0 0 RG\n2 w\n0 1 m 5 1 5 7 10 7 c\nS')
    expect(await written(...marks)).toBe(file)
  })

  it('refuses a colour that it cannot read', async () => {
    await expect(written({ kind: 'rect', x: 0, y: 0, width: 1, height: 1, fill: 'red' })).rejects.toThrow('not red')
  })
})
