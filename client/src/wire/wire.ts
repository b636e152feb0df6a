// Written by `python -m client.wire`; do not edit.
import type { ExplanationWire, LookWire } from './look'
import type { Report } from './report'
import type { Live } from './live'

export interface Page {
  title: string
  version: string
  report: Report | null
  live: Live | null
  view: ViewWire | null
}

export interface ViewWire {
  look: LookWire
  layout: "heads" | "model"
  stack: "encoder" | "decoder" | "cross" | "sees_earlier" | "sees_later" | "pool" | "document"
  layer: number
  heads: number[] | null
  dark: boolean | null
  words: boolean
  special: "shown" | "hidden" | "renormalised"
  first_token: boolean
  scale: "linear" | "log"
  drawing: "lines" | "matrix"
  explanation: ExplanationWire | null
}
