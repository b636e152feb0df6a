// The bytes of the layer that is shown; the last ones stay until the next have come.
import { headMap, layerOf, partOf, type HeadMap, type Shown, type Stack } from '../data/maps'
import type { MapSource } from '../data/source'
import type { LookWire } from '../wire'

export interface Wanted {
  look: LookWire
  source: MapSource
  stack: Stack
  layer: number
}

export interface LoadedLayer {
  look: LookWire
  stack: Stack
  layer: number
  bytes: Uint8Array
}

/** A layer that follows what is wanted; to be called while a component is made. */
export class Loaded {
  #come = $state.raw<LoadedLayer | null>(null)
  #problem = $state('')
  #wanted: () => Wanted
  // What is here already is shown at once, without waiting for an effect.
  #now = $derived.by<LoadedLayer | null>(() => {
    const { look, source, stack, layer } = this.#wanted()
    const bytes = source.peek(stack, layer)
    return bytes ? { look, stack, layer, bytes } : this.#come
  })

  constructor(wanted: () => Wanted) {
    this.#wanted = wanted
    $effect(() => this.#fetch(wanted()))
  }

  get layer(): LoadedLayer | null {
    return this.#now
  }

  /** Whether that layer is the one wanted, and not the last one still. */
  get current(): boolean {
    const { look, stack, layer } = this.#wanted()
    return this.#now?.look === look && this.#now.stack === stack && this.#now.layer === layer
  }

  get problem(): string {
    return this.#problem
  }

  #fetch({ look, source, stack, layer }: Wanted): () => void {
    let wanted = true
    source.get(stack, layer).then(
      (bytes) => {
        if (!wanted) return
        this.#problem = ''
        this.#come = { look, stack, layer, bytes }
      },
      (error: Error) => {
        if (wanted) this.#problem = error.message
      },
    )
    return () => (wanted = false)
  }
}

/** The maps of those heads that the layer has. */
export function mapsOf(loaded: LoadedLayer | null, heads: number[], shown: Shown): HeadMap[] {
  if (!loaded) return []
  const { look, stack, layer, bytes } = loaded
  const known = layerOf(partOf(look, stack), layer).heads
  return heads.filter((head) => known.includes(head)).map((head) => headMap(look, bytes, stack, layer, head, shown))
}
