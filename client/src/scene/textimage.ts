// Text as an image, for letters that a PDF does not have by itself: other scripts and emoji.
import type { Text } from './marks'
import { takeUp } from './png'

const SCALE = 4

export interface TextImage {
  /** Where the image lies, seen from the text's place. */
  x: number
  y: number
  width: number
  height: number
  columns: number
  rows: number
  rgba: Uint8ClampedArray
}

/** Paint a text, without its turn and opacity; null if there is nothing to see. */
export function textImage(text: Text): TextImage | null {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d', { willReadFrequently: true })!
  takeUp(pen, text)
  const told = pen.measureText(text.text)
  const [left, right] = [Math.ceil(told.actualBoundingBoxLeft) + 1, Math.ceil(told.actualBoundingBoxRight) + 1]
  const [above, below] = [Math.ceil(told.actualBoundingBoxAscent) + 1, Math.ceil(told.actualBoundingBoxDescent) + 1]
  const [width, height] = [left + right, above + below]
  if (told.width === 0) return null
  canvas.width = width * SCALE
  canvas.height = height * SCALE
  // A canvas forgets its pen when its size changes.
  takeUp(pen, text)
  pen.scale(SCALE, SCALE)
  pen.fillText(text.text, left, above)
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height)
  const back = { start: 0, middle: 0.5, end: 1 }[text.anchor ?? 'start'] * told.width
  return { x: -left - back, y: -above, width, height, columns: canvas.width, rows: canvas.height, rgba: data }
}
