// The frame of a PDF 1.4 file with one page: objects, their places, and what stands in streams.

/** An image with its colours and, where it is not opaque, the opacity of each dot. */
export interface PdfImage {
  width: number
  height: number
  rgb: Uint8Array
  alpha: Uint8Array | null
}

export interface PdfPage {
  title: string
  width: number
  height: number
  /** What is drawn; names opacities /O0.5, images /I0, /I1, ..., fonts /R and /B. */
  content: string
  opacities: string[]
  images: PdfImage[]
}

const FONT = '/Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding /BaseFont'

/** The bytes of the file. */
export async function pdfFile(page: PdfPage): Promise<Uint8Array<ArrayBuffer>> {
  const objects = new Objects()
  const images: number[] = []
  for (const image of page.images) images.push(await addImage(objects, image))
  const content = await objects.stream('', bytesOf(page.content))
  const fonts = ['Helvetica', 'Helvetica-Bold'].map((name) => objects.add(`<< ${FONT} /${name} >>`))
  const resources = [
    `/Font << /R ${fonts[0]} 0 R /B ${fonts[1]} 0 R >>`,
    `/ExtGState << ${page.opacities.map((opacity) => `/O${opacity} << /ca ${opacity} /CA ${opacity} >>`).join(' ')} >>`,
    `/XObject << ${images.map((number, place) => `/I${place} ${number} 0 R`).join(' ')} >>`,
  ]
  const box = `[0 0 ${pdfNumber(page.width)} ${pdfNumber(page.height)}]`
  // The tree of pages follows its only page.
  const leaf = objects.add(
    `<< /Type /Page /Parent ${objects.next + 1} 0 R /MediaBox ${box} /Contents ${content} 0 R /Resources << ${resources.join(' ')} >> >>`,
  )
  const tree = objects.add(`<< /Type /Pages /Kids [${leaf} 0 R] /Count 1 >>`)
  const root = objects.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`)
  const info = objects.add(`<< /Title ${pdfTitle(page.title)} /Producer (headscope) >>`)
  return objects.file(root, info)
}

/** A number as PDF reads it: no exponent, at most four digits after the point. */
export function pdfNumber(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`a drawing holds a place that is no number: ${value}`)
  return String(Number(value.toFixed(4)) || 0)
}

/** Codes of letters as a PDF string. */
export function pdfString(codes: number[]): string {
  const signs = codes.map((code) => {
    const letter = String.fromCharCode(code)
    if ('()\\'.includes(letter)) return `\\${letter}`
    return code < 0x20 || code > 0x7e ? `\\${code.toString(8).padStart(3, '0')}` : letter
  })
  return `(${signs.join('')})`
}

/** A title in any script: UTF-16 with its mark. */
function pdfTitle(title: string): string {
  const units = Array.from({ length: title.length }, (_, place) => title.charCodeAt(place))
  return `<${[0xfeff, ...units].map((unit) => unit.toString(16).padStart(4, '0')).join('')}>`
}

async function addImage(objects: Objects, image: PdfImage): Promise<number> {
  const about = `/Type /XObject /Subtype /Image /Width ${image.width} /Height ${image.height} /BitsPerComponent 8`
  const mask = image.alpha && (await objects.stream(`${about} /ColorSpace /DeviceGray`, image.alpha))
  return objects.stream(`${about} /ColorSpace /DeviceRGB${mask === null ? '' : ` /SMask ${mask} 0 R`}`, image.rgb)
}

/** The numbered objects of a file, in the order in which they are written. */
class Objects {
  #parts: Uint8Array[] = [bytesOf('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n')]
  #offsets: number[] = []
  #length = this.#parts[0]!.length

  /** The number that the next object will have. */
  get next(): number {
    return this.#offsets.length + 1
  }

  add(text: string): number {
    return this.#object(bytesOf(text))
  }

  async stream(about: string, content: Uint8Array): Promise<number> {
    const deflated = await deflate(content)
    const start = bytesOf(`<< ${about} /Filter /FlateDecode /Length ${deflated.length} >>\nstream\n`)
    return this.#object(start, deflated, bytesOf('\nendstream'))
  }

  file(root: number, info: number): Uint8Array<ArrayBuffer> {
    const places = this.#offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    const size = this.next
    const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
    const start = this.#length
    this.#write(bytesOf(`${table}trailer\n<< /Size ${size} /Root ${root} 0 R /Info ${info} 0 R >>\nstartxref\n${start}\n%%EOF\n`))
    const all = new Uint8Array(this.#length)
    let place = 0
    for (const part of this.#parts) {
      all.set(part, place)
      place += part.length
    }
    return all
  }

  #object(...content: Uint8Array[]): number {
    const number = this.next
    this.#offsets.push(this.#length)
    for (const part of [bytesOf(`${number} 0 obj\n`), ...content, bytesOf('\nendobj\n')]) this.#write(part)
    return number
  }

  #write(part: Uint8Array): void {
    this.#parts.push(part)
    this.#length += part.length
  }
}

/** One byte for each letter: all that is written here has codes below 256. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

async function deflate(content: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([content as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
