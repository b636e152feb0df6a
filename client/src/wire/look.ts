// Written by `python -m client.wire`; do not edit.

export interface Answer {
  label: string
  probability: number
}

export interface Axis {
  pieces: string[]
  words: number[]
  names: string[]
  special: boolean[]
  second: number | null
  written: number | null
}

export interface ExplanationWire {
  title: string
  model: string
  axes: Axis[]
  answers: Answer[]
  ways: Way[]
  importance: (((number | null)[])[])[]
  seen: boolean[][]
  offered: Way[]
  notes: string[]
  answers_left: number
}

export interface HeadName {
  name: string
  stack: "encoder" | "decoder" | "cross" | "sees_earlier" | "sees_later" | "pool" | "document"
  layer: number
  index: number
}

export interface KnownLink {
  query: number
  key: number
  kind: number
}

export interface LayerWire {
  layer: number
  heads: number[]
  data: string | null
}

export interface LinkedWire {
  verb: string
  by: string
  query: string[]
  key: string[]
  same: boolean
  weights: ((number | null)[])[]
  kinds: string[]
  links: KnownLink[]
}

export interface LogitPart {
  label: string
  value: number
}

export interface LookWire {
  id: string | null
  title: string
  model: string
  axes: Axis[]
  parts: PartWire[]
  output: Output | null
  window: number
  windows: number
  notes: string[]
}

export interface MadeWire {
  pieces: string[]
  written: number
  place: number
  logit: number
  loss: number
  parts: LogitPart[]
  heads: HeadName[]
  direct: (number | null)[]
  removed: (number | null)[]
  notes: string[]
}

export interface Output {
  title: string
  unit: "probability" | "cosine" | "value"
  rows: Score[]
}

export interface PartWire {
  stack: "encoder" | "decoder" | "cross" | "sees_earlier" | "sees_later" | "pool" | "document"
  query: number
  key: number
  layers: LayerWire[]
}

export interface Score {
  label: string
  before: number
  after: number | null
}

export interface Way {
  name: string
  title: string
  signed: boolean
}
