// Written by `python -m client.wire`; do not edit.

export interface HeadOff {
  stack: "encoder" | "decoder" | "cross" | "sees_earlier" | "sees_later" | "pool" | "document"
  layer: number
  index: number
}

export interface Live {
  models: ModelCard[]
  text: string
  longest_text: number
  most_generated: number
  explains: boolean
}

export interface MadeQuestion {
  model: string
  text: string
  second: string | null
  target: string | null
  generate: number
  off: HeadOff[]
  window: number
  place: number | null
  removal: boolean
}

export interface ModelCard {
  name: string
  loaded: boolean
  shape: "encoder" | "decoder" | "encoder-decoder" | null
  longest: number | null
}

export interface Problem {
  message: string
}

export interface Question {
  model: string
  text: string
  second: string | null
  target: string | null
  generate: number
  off: HeadOff[]
  window: number
}

export interface WhyQuestion {
  model: string
  text: string
  second: string | null
  target: string | null
  generate: number
  off: HeadOff[]
  window: number
  by: string[]
}
