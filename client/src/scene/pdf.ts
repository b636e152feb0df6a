// A scene as a PDF file of one page: shapes as shapes, text as text wherever PDF's own letters suffice.
import { encode, printable } from './fonts'
import { bend, boxOf } from './geometry'
import type { Circle, Mark, Pixels, Rect, Scene, Text } from './marks'
import { pdfFile, pdfNumber, pdfString, type PdfImage } from './pdffile'
import { textImage, type TextImage } from './textimage'

/** Points of a PDF in one unit of a scene: 96 units are an inch. */
const POINT = 0.75
/** How far the corners of a circle's four curves reach, in radii. */
const ROUND = 0.5523

/** The bytes of a PDF file; the same scene always gives the same bytes. */
export async function toPdf(scene: Scene): Promise<Uint8Array<ArrayBuffer>> {
  const sheet = new Sheet(scene)
  for (const mark of scene.marks) sheet.add(mark)
  return pdfFile({
    title: printable(scene.title),
    width: scene.width * POINT,
    height: scene.height * POINT,
    content: sheet.lines.join('\n'),
    opacities: [...sheet.opacities],
    images: sheet.images,
  })
}

class Sheet {
  lines: string[] = []
  images: PdfImage[] = []
  opacities = new Set<string>()

  constructor(scene: Scene) {
    // From here on as in a scene: y grows downwards.
    this.#say(POINT, 0, 0, -POINT, 0, scene.height * POINT, 'cm')
    this.#colour(scene.paper, 'rg')
    this.#say(0, 0, scene.width, scene.height, 're f')
  }

  add(mark: Mark): void {
    this.lines.push('q')
    // In hundredths, so that thousands of links share a hundred states.
    const opacity = pdfNumber(Math.round((mark.opacity ?? 1) * 100) / 100)
    if (opacity !== '1') {
      this.opacities.add(opacity)
      this.lines.push(`/O${opacity} gs`)
    }
    if (mark.kind === 'text') this.#text(mark)
    else if (mark.kind === 'pixels') this.#pixels(mark)
    else if (mark.kind === 'line') this.#stroke(mark, () => this.#say(mark.x1, mark.y1, 'm', mark.x2, mark.y2, 'l'))
    else if (mark.kind === 'curve') this.#stroke(mark, () => this.#curve(bend(mark)))
    else this.#filled(mark)
    this.lines.push('Q')
  }

  #filled(mark: Rect | Circle): void {
    this.#colour(mark.fill, 'rg')
    const { x, y, width, height } = boxOf(mark)
    if (mark.radius) this.#round(x, y, width, height, mark.radius)
    else this.#say(x, y, width, height, 're')
    if (mark.stroke) {
      this.#colour(mark.stroke, 'RG')
      this.#say(mark.strokeWidth ?? 1, 'w B')
    } else this.lines.push('f')
  }

  #stroke(mark: { stroke: string; strokeWidth: number }, path: () => void): void {
    this.#colour(mark.stroke, 'RG')
    this.#say(mark.strokeWidth, 'w')
    path()
    this.lines.push('S')
  }

  #curve([x, y, ...rest]: number[]): void {
    this.#say(x!, y!, 'm', ...rest, 'c')
  }

  /** A rectangle with round corners; a circle is one that is all corners. */
  #round(x: number, y: number, width: number, height: number, wanted: number): void {
    const radius = Math.min(wanted, width / 2, height / 2)
    const near = radius * (1 - ROUND)
    const [right, low] = [x + width, y + height]
    this.#say(x + radius, y, 'm', right - radius, y, 'l', right - near, y, right, y + near, right, y + radius, 'c')
    this.#say(right, low - radius, 'l', right, low - near, right - near, low, right - radius, low, 'c')
    this.#say(x + radius, low, 'l', x + near, low, x, low - near, x, low - radius, 'c')
    this.#say(x, y + radius, 'l', x, y + near, x + near, y, x + radius, y, 'c h')
  }

  #text(mark: Text): void {
    const text = printable(mark.text)
    const encoded = encode(text, mark.bold ?? false)
    const turn = ((mark.turn ?? 0) * Math.PI) / 180
    const [across, down] = [Math.cos(turn), Math.sin(turn)]
    if (encoded === null) {
      this.#say(across, down, -down, across, mark.x, mark.y, 'cm')
      const image = textImage({ ...mark, text })
      if (image) this.#image(image.x, image.y, image.width, image.height, coloured(image))
      return
    }
    const back = { start: 0, middle: 0.5, end: 1 }[mark.anchor ?? 'start'] * encoded.width * mark.size
    this.#colour(mark.fill, 'rg')
    this.lines.push(`BT /${mark.bold ? 'B' : 'R'} ${pdfNumber(mark.size)} Tf`)
    this.#say(across, down, down, -across, mark.x - back * across, mark.y - back * down, 'Tm')
    this.lines.push(`${pdfString(encoded.codes)} Tj ET`)
  }

  #pixels(mark: Pixels): void {
    const image = { width: mark.columns, height: mark.rows, rgb: mark.rgb, alpha: null }
    this.#image(mark.x, mark.y, mark.width, mark.height, image)
  }

  #image(x: number, y: number, width: number, height: number, image: PdfImage): void {
    this.#say(width, 0, 0, -height, x, y + height, 'cm')
    this.lines.push(`/I${this.images.length} Do`)
    this.images.push(image)
  }

  #colour(colour: string, operator: 'rg' | 'RG'): void {
    const parts = [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16) / 255)
    if (colour.length !== 7 || parts.some(Number.isNaN)) throw new Error(`a colour like #0b6bab was expected, not ${colour}`)
    this.#say(...parts, operator)
  }

  #say(...parts: (number | string)[]): void {
    this.lines.push(parts.map((part) => (typeof part === 'number' ? pdfNumber(part) : part)).join(' '))
  }
}

/** Colours and opacity of an image apart, as a PDF holds them. */
function coloured(image: TextImage): PdfImage {
  const count = image.columns * image.rows
  const [rgb, alpha] = [new Uint8Array(count * 3), new Uint8Array(count)]
  for (let place = 0; place < count; place++) {
    rgb.set(image.rgba.subarray(place * 4, place * 4 + 3), place * 3)
    alpha[place] = image.rgba[place * 4 + 3]!
  }
  return { width: image.columns, height: image.rows, rgb, alpha }
}
