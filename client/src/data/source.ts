// Where the maps of a look come from: packed into the page, or asked of the server, layer by layer.
import type { LookWire, Problem } from '../wire'
import { axesOf, layerOf, partOf, type Stack } from './maps'
import { unpack } from './packed'

export interface MapSource {
  /** The bytes (head, query, key) of a layer. */
  get(stack: Stack, layer: number): Promise<Uint8Array>
  /** The same if they are here already. */
  peek(stack: Stack, layer: number): Uint8Array | undefined
}

/** What the server says is wrong, in a sentence. */
export async function problemOf(response: Response): Promise<string> {
  const told = (await response.json().catch(() => null)) as Partial<Problem> | null
  return told?.message ?? `The server answered with ${response.status} ${response.statusText}.`
}

/** Maps that came with the look. */
export function packedSource(look: LookWire): MapSource {
  return kept(look, async (stack, layer) => {
    const { data } = layerOf(partOf(look, stack), layer)
    if (data === null) throw new Error(`The maps of layer ${layer} did not come with the page.`)
    return unpack(data)
  })
}

/** Maps that the server keeps. */
export function liveSource(look: LookWire): MapSource {
  return kept(look, async (stack, layer) => {
    const response = await fetch(`/api/maps/${encodeURIComponent(look.id ?? '')}/${stack}/${layer}`)
    if (!response.ok) throw new Error(await problemOf(response))
    return new Uint8Array(await response.arrayBuffer())
  })
}

/** A source that asks once for each layer; what failed is asked again. */
function kept(look: LookWire, fetched: (stack: Stack, layer: number) => Promise<Uint8Array>): MapSource {
  const here = new Map<string, Uint8Array>()
  const coming = new Map<string, Promise<Uint8Array>>()
  return {
    peek: (stack, layer) => here.get(`${stack} ${layer}`),
    get(stack, layer) {
      const name = `${stack} ${layer}`
      let promise = coming.get(name)
      if (!promise) {
        promise = fetched(stack, layer).then((bytes) => {
          checkSize(look, stack, layer, bytes)
          here.set(name, bytes)
          return bytes
        })
        promise.catch(() => coming.delete(name))
        coming.set(name, promise)
      }
      return promise
    },
  }
}

function checkSize(look: LookWire, stack: Stack, layer: number, bytes: Uint8Array): void {
  const { query, key } = axesOf(look, stack)
  const heads = layerOf(partOf(look, stack), layer).heads.length
  const size = heads * query.pieces.length * key.pieces.length
  if (bytes.length !== size) throw new Error(`Layer ${layer} came with ${bytes.length} weights, not ${size}. Ask again.`)
}
