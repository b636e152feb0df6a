// Pixels as a canvas, for the page and for files.
import type { Pixels } from './marks'

/** A canvas of one dot for each pixel. */
export function pixelCanvas(pixels: Pick<Pixels, 'columns' | 'rows' | 'rgb'>): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = pixels.columns
  canvas.height = pixels.rows
  const pen = canvas.getContext('2d')!
  const image = pen.createImageData(pixels.columns, pixels.rows)
  for (let place = 0; place < pixels.columns * pixels.rows; place++) {
    image.data[place * 4] = pixels.rgb[place * 3]!
    image.data[place * 4 + 1] = pixels.rgb[place * 3 + 1]!
    image.data[place * 4 + 2] = pixels.rgb[place * 3 + 2]!
    image.data[place * 4 + 3] = 255
  }
  pen.putImageData(image, 0, 0)
  return canvas
}

/** The pixels as the address of an image. */
export function pixelUrl(pixels: Pixels): string {
  return pixelCanvas(pixels).toDataURL('image/png')
}
