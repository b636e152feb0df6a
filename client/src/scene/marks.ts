// A drawing as data: the same marks are shown on the page and written as SVG, PDF and PNG.

export interface Shared {
  /** What the mark stands for, once in a scene; marks with a key can be pointed at, chosen and reached by keyboard. */
  key?: string
  /** What is read aloud and shown when pointed at. */
  label?: string
  opacity?: number
}

export interface Rect extends Shared {
  kind: 'rect'
  x: number
  y: number
  width: number
  height: number
  fill: string
  stroke?: string
  strokeWidth?: number
  radius?: number
}

export interface Line extends Shared {
  kind: 'line'
  x1: number
  y1: number
  x2: number
  y2: number
  stroke: string
  strokeWidth: number
}

/** A smooth link from left to right, flat at both ends. */
export interface Curve extends Shared {
  kind: 'curve'
  x1: number
  y1: number
  x2: number
  y2: number
  stroke: string
  strokeWidth: number
}

export interface Circle extends Shared {
  kind: 'circle'
  x: number
  y: number
  radius: number
  fill: string
  stroke?: string
  strokeWidth?: number
}

export interface Text extends Shared {
  kind: 'text'
  x: number
  /** Of the baseline. */
  y: number
  text: string
  size: number
  fill: string
  anchor?: 'start' | 'middle' | 'end'
  bold?: boolean
  /** Degrees, clockwise. */
  turn?: number
}

/** Pixels, one after another, red green blue each; drawn without smoothing. */
export interface Pixels extends Shared {
  kind: 'pixels'
  x: number
  y: number
  width: number
  height: number
  columns: number
  rows: number
  rgb: Uint8Array
}

export type Mark = Rect | Line | Curve | Circle | Text | Pixels

export interface Scene {
  width: number
  height: number
  paper: string
  /** What the drawing shows, in one sentence: its name for those who cannot see it. */
  title: string
  marks: Mark[]
}
