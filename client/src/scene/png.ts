// A scene painted on a canvas, for PNG files.
import { FONT, printable } from './fonts'
import { bend } from './geometry'
import type { Mark, Scene, Text } from './marks'
import { pixelCanvas } from './pixels'

const SCALE = 3
// Browsers refuse canvases beyond about this many dots a side.
const LONGEST = 16000

/** A PNG file of the scene, three dots for each unit (fewer for one too large for that). */
export function toPng(scene: Scene): Promise<Blob> {
  const scale = Math.min(SCALE, LONGEST / scene.width, LONGEST / scene.height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(scene.width * scale)
  canvas.height = Math.ceil(scene.height * scale)
  const pen = canvas.getContext('2d')!
  pen.scale(scale, scale)
  pen.fillStyle = scene.paper
  pen.fillRect(0, 0, scene.width, scene.height)
  for (const mark of scene.marks) paint(pen, mark)
  return blobOf(canvas)
}

/** A canvas as a PNG file. */
export function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the drawing is too large for a PNG'))), 'image/png')
  })
}

/** Make a pen ready to write a text at the place 0, 0. */
export function takeUp(pen: CanvasRenderingContext2D, text: Text): void {
  pen.font = `${text.bold ? 'bold ' : ''}${text.size}px ${FONT}`
  pen.fillStyle = text.fill
  pen.direction = 'ltr'
}

/** Paint one mark. */
export function paint(pen: CanvasRenderingContext2D, mark: Mark): void {
  pen.save()
  pen.globalAlpha = mark.opacity ?? 1
  if (mark.kind === 'text') write(pen, mark)
  else if (mark.kind === 'pixels') {
    pen.imageSmoothingEnabled = false
    pen.drawImage(pixelCanvas(mark), mark.x, mark.y, mark.width, mark.height)
  } else trace(pen, mark)
  pen.restore()
}

function write(pen: CanvasRenderingContext2D, text: Text): void {
  takeUp(pen, text)
  pen.textAlign = ({ start: 'left', middle: 'center', end: 'right' } as const)[text.anchor ?? 'start']
  pen.translate(text.x, text.y)
  pen.rotate(((text.turn ?? 0) * Math.PI) / 180)
  pen.fillText(printable(text.text), 0, 0)
}

function trace(pen: CanvasRenderingContext2D, mark: Exclude<Mark, { kind: 'text' | 'pixels' }>): void {
  pen.beginPath()
  if (mark.kind === 'rect') pen.roundRect(mark.x, mark.y, mark.width, mark.height, mark.radius ?? 0)
  else if (mark.kind === 'circle') pen.arc(mark.x, mark.y, mark.radius, 0, 2 * Math.PI)
  else if (mark.kind === 'line') {
    pen.moveTo(mark.x1, mark.y1)
    pen.lineTo(mark.x2, mark.y2)
  } else {
    const [x, y, ...rest] = bend(mark)
    pen.moveTo(x, y)
    pen.bezierCurveTo(...rest)
  }
  if ('fill' in mark) {
    pen.fillStyle = mark.fill
    pen.fill()
  }
  if (mark.stroke) {
    pen.strokeStyle = mark.stroke
    pen.lineWidth = mark.strokeWidth ?? 1
    pen.stroke()
  }
}
