// What the Python side packed: base64 of deflated bytes.

/** The bytes that a packed text stands for. */
export async function unpack(packed: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = atob(packed)
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The value that a packed JSON text stands for. */
export async function unpackJson<T>(packed: string): Promise<T> {
  return JSON.parse(new TextDecoder().decode(await unpack(packed))) as T
}

/** The weight of each byte: squares of 255 steps. */
export const WEIGHTS = Float32Array.from({ length: 256 }, (_, step) => (step / 255) ** 2)
