import { describe, expect, it } from 'vitest'
import { encode, printable } from '../src/scene/fonts'
import { bend, boxOf, neighbour } from '../src/scene/geometry'
import type { Mark, Scene } from '../src/scene/marks'
import { escape, toSvg } from '../src/scene/svg'

function sceneOf(...marks: Mark[]): Scene {
  return { width: 40, height: 30, paper: '#ffffff', title: 'a <title>', marks }
}

describe('neighbour', () => {
  // 0 1
  // 2 3, and 4 far below, a little to the right of 2.
  const boxes = [
    [0, 0],
    [10, 0],
    [0, 10],
    [10, 10],
    [3, 60],
  ].map(([x, y]) => ({ x: x!, y: y!, width: 8, height: 8 }))

  it('moves along rows and columns', () => {
    expect(neighbour(boxes, 0, 'ArrowRight')).toBe(1)
    expect(neighbour(boxes, 1, 'ArrowDown')).toBe(3)
    expect(neighbour(boxes, 3, 'ArrowLeft')).toBe(2)
    expect(neighbour(boxes, 2, 'ArrowUp')).toBe(0)
  })

  it('reaches what lies aside, and stays where nothing is', () => {
    expect(neighbour(boxes, 2, 'ArrowDown')).toBe(4)
    expect(neighbour(boxes, 0, 'ArrowLeft')).toBeNull()
    expect(neighbour(boxes, 4, 'ArrowDown')).toBeNull()
  })
})

it('puts boxes around marks', () => {
  expect(boxOf({ kind: 'circle', x: 5, y: 6, radius: 2, fill: '#000000' })).toEqual({ x: 3, y: 4, width: 4, height: 4 })
  const line = { kind: 'line', x1: 9, y1: 1, x2: 2, y2: 5, stroke: '#000000', strokeWidth: 1 } as const
  expect(boxOf(line)).toEqual({ x: 2, y: 1, width: 7, height: 4 })
})

it('bends a link flat at both ends', () => {
  const curve = { kind: 'curve', x1: 0, y1: 1, x2: 10, y2: 7, stroke: '#000000', strokeWidth: 1 } as const
  expect(bend(curve)).toEqual([0, 1, 5, 1, 5, 7, 10, 7])
})

describe('Helvetica', () => {
  it('measures letters', () => {
    // H 722, i 222; in bold 722 and 278.
    expect(encode('Hi', false)).toEqual({ codes: [72, 105], width: 0.944 })
    expect(encode('Hi', true)?.width).toBeCloseTo(1, 10)
  })

  it('knows accents and signs of WinAnsi', () => {
    expect(encode('é…', false)).toEqual({ codes: [0xe9, 0x85], width: 1.556 })
    expect(encode('ï', false)?.width).toBe(0.278)
    expect(encode('−', false)?.codes).toEqual([0x96])
  })

  it('does not pretend to have other scripts', () => {
    for (const text of ['你', '😀', 'ش', 'ő', '\u202e']) expect(encode(`a${text}`, false)).toBeNull()
  })
})

it('drops what no file may hold', () => {
  expect(printable('a\u0000b\u001bc\u0085d\ud800e\ufffff😀')).toBe('a b c d\ufffde f😀')
})

describe('SVG', () => {
  it('escapes text', () => {
    expect(escape(`<b a="1" c='2'>&`)).toBe('&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;')
  })

  it('writes every mark with its numbers', () => {
    const svg = toSvg(
      sceneOf(
        { kind: 'rect', x: 1, y: 2, width: 3, height: 4, radius: 1, fill: '#112233', label: 'L0H1 & more' },
        { kind: 'circle', x: 1 / 3, y: 2, radius: 3, fill: '#445566', stroke: '#000000', strokeWidth: 2, opacity: 0.5 },
        { kind: 'line', x1: 0, y1: 0, x2: 4, y2: 5, stroke: '#778899', strokeWidth: 1 },
        { kind: 'curve', x1: 0, y1: 1, x2: 10, y2: 7, stroke: '#aabbcc', strokeWidth: 1 },
        { kind: 'text', x: 5, y: 6, text: '</text><script>', size: 12, fill: '#222222', anchor: 'end', bold: true, turn: -60 },
      ),
    )
    expect(svg.split('\n').slice(1)).toEqual([
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" viewBox="0 0 40 30" role="img">',
      '<title>a &lt;title&gt;</title>',
      '<rect width="40" height="30" fill="#ffffff"/>',
      '<rect x="1" y="2" width="3" height="4" rx="1" fill="#112233"><title>L0H1 &amp; more</title></rect>',
      '<circle cx="0.333" cy="2" r="3" fill="#445566" stroke="#000000" stroke-width="2" opacity="0.5"/>',
      '<line x1="0" y1="0" x2="4" y2="5" stroke="#778899" stroke-width="1"/>',
      '<path d="M0 1C5 1 5 7 10 7" fill="none" stroke="#aabbcc" stroke-width="1"/>',
      `<text x="5" y="6" fill="#222222" font-family="Helvetica, Arial, &#39;Noto Sans&#39;, &#39;DejaVu Sans&#39;, sans-serif" font-size="12" font-weight="bold" text-anchor="end" transform="rotate(-60 5 6)">&lt;/text&gt;&lt;script&gt;</text>`,
      '</svg>',
      '',
    ])
  })
})
