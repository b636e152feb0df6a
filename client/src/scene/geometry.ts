// Where marks lie: the one shape of a link, boxes around marks, and the way to the neighbour in a direction.
import type { Curve, Mark } from './marks'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** The path of a curve: its four points of Bézier. */
export function bend(curve: Curve): [number, number, number, number, number, number, number, number] {
  const middle = (curve.x1 + curve.x2) / 2
  return [curve.x1, curve.y1, middle, curve.y1, middle, curve.y2, curve.x2, curve.y2]
}

/** The box around a mark; a text's is guessed from its letters. */
export function boxOf(mark: Mark): Box {
  if (mark.kind === 'rect' || mark.kind === 'pixels') return mark
  if (mark.kind === 'circle') {
    const side = mark.radius * 2
    return { x: mark.x - mark.radius, y: mark.y - mark.radius, width: side, height: side }
  }
  if (mark.kind === 'text') {
    const width = mark.text.length * mark.size * 0.55
    const before = { start: 0, middle: 0.5, end: 1 }[mark.anchor ?? 'start']
    return { x: mark.x - width * before, y: mark.y - mark.size, width, height: mark.size * 1.25 }
  }
  return {
    x: Math.min(mark.x1, mark.x2),
    y: Math.min(mark.y1, mark.y2),
    width: Math.abs(mark.x2 - mark.x1),
    height: Math.abs(mark.y2 - mark.y1),
  }
}

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

const STEPS: Record<Direction, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export function isDirection(key: string): key is Direction {
  return key in STEPS
}

/** The nearest of the boxes in a direction, by its place; what lies aside counts double. Null: none is there. */
export function neighbour(boxes: Box[], from: number, direction: Direction): number | null {
  const [right, down] = STEPS[direction]
  const [x, y] = centre(boxes[from]!)
  let best: number | null = null
  let least = Infinity
  for (const [place, box] of boxes.entries()) {
    const [otherX, otherY] = centre(box)
    const ahead = (otherX - x) * right + (otherY - y) * down
    const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right)
    if (place === from || ahead <= 0 || aside > ahead * 2) continue
    if (ahead + aside * 2 < least) [best, least] = [place, ahead + aside * 2]
  }
  return best
}

function centre(box: Box): [number, number] {
  return [box.x + box.width / 2, box.y + box.height / 2]
}
