// A scene as an SVG file that stands by itself.
import { FONT, printable } from './fonts'
import { bend } from './geometry'
import type { Mark, Scene } from './marks'
import { pixelUrl } from './pixels'

type Value = string | number | undefined

/** The text of an SVG file. */
export function toSvg(scene: Scene): string {
  const size = { width: scene.width, height: scene.height, viewBox: `0 0 ${scene.width} ${scene.height}` }
  const paper = element('rect', { width: scene.width, height: scene.height, fill: scene.paper })
  const content = [`<title>${escape(scene.title)}</title>`, paper, ...scene.marks.map(written)].join('\n')
  const root = element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size, role: 'img' }, `\n${content}\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}

/** Text as it may stand in XML. */
export function escape(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return printable(text).replace(/[&<>"']/g, (sign) => names[sign]!)
}

function written(mark: Mark): string {
  const { opacity } = mark
  const label = mark.label === undefined ? '' : `<title>${escape(mark.label)}</title>`
  if (mark.kind === 'rect') {
    const { x, y, width, height, radius, fill, stroke, strokeWidth } = mark
    const look = { rx: radius, fill, stroke, 'stroke-width': strokeWidth, opacity }
    return element('rect', { x, y, width, height, ...look }, label)
  }
  if (mark.kind === 'circle') {
    const { x, y, radius, fill, stroke, strokeWidth } = mark
    return element('circle', { cx: x, cy: y, r: radius, fill, stroke, 'stroke-width': strokeWidth, opacity }, label)
  }
  if (mark.kind === 'line') {
    const { x1, y1, x2, y2, stroke, strokeWidth } = mark
    return element('line', { x1, y1, x2, y2, stroke, 'stroke-width': strokeWidth, opacity }, label)
  }
  if (mark.kind === 'curve') {
    const [x, y, ...rest] = bend(mark).map(short)
    const d = `M${x} ${y}C${rest.join(' ')}`
    return element('path', { d, fill: 'none', stroke: mark.stroke, 'stroke-width': mark.strokeWidth, opacity }, label)
  }
  if (mark.kind === 'text') {
    const { x, y, fill, size, anchor, turn } = mark
    const transform = turn ? `rotate(${short(turn)} ${short(x)} ${short(y)})` : undefined
    const font = { 'font-family': FONT, 'font-size': size, 'font-weight': mark.bold ? 'bold' : undefined }
    return element('text', { x, y, fill, ...font, 'text-anchor': anchor, transform, opacity }, escape(mark.text))
  }
  const { x, y, width, height } = mark
  const image = { href: pixelUrl(mark), preserveAspectRatio: 'none' }
  // The first is for programs that do not know the second.
  const style = 'image-rendering:optimizeSpeed;image-rendering:pixelated'
  return element('image', { x, y, width, height, ...image, style, opacity }, label)
}

function element(name: string, attributes: Record<string, Value>, content = ''): string {
  const parts = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? short(value) : escape(value!)}"`)
  return `<${name}${parts.join('')}${content === '' ? '/>' : `>${content}</${name}>`}`
}

/** A number to a thousandth. */
function short(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
