// Written by `python -m client.wire`; do not edit.
export const KINDS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#4B3B8F", "#882255", "#117733", "#7A4419", "#44AA99"]

export interface Answer {
  label: string
  probability: number
}

export interface Atlas {
  heads: HeadName[]
  measures: (Numbers | Categories)[]
  places: Place[]
  cards: HeadCard[]
}

export interface Axis {
  pieces: string[]
  words: number[]
  names: string[]
  special: boolean[]
  second: number | null
  written: number | null
}

export interface Bar {
  at: number
  value: number
  error: number | null
  baseline: number | null
}

export interface Categories {
  name: string
  label: string
  group: string
  about: string
  values: (string | null)[]
  levels: Level[]
  role: boolean
  kind: "category"
}

export interface Column {
  name: string
  kind: "number" | "text" | "truth"
  says: string
  unit: string
  better: "higher" | "lower" | null
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

export interface Fact {
  name: string
  value: string
}

export interface FigureWire {
  name: string
  verb: string
  title: string
  svg: string
  pdf: string | null
}

export interface FindingWire {
  verb: string
  text: string
  decided: boolean
  head: string | null
  table: string
  row: number
  mark: Mark | null
}

export interface HeadCard {
  role: string | null
  rule: string | null
  facts: Fact[]
  profile: Bar[]
}

export interface HeadName {
  name: string
  stack: "encoder" | "decoder" | "cross" | "sees_earlier" | "sees_later" | "pool" | "document"
  layer: number
  index: number
}

export interface HeadOff {
  stack: "encoder" | "decoder" | "cross" | "sees_earlier" | "sees_later" | "pool" | "document"
  layer: number
  index: number
}

export interface LayerWire {
  layer: number
  heads: number[]
  data: string | null
}

export interface Level {
  word: string
  colour: string
  whole: string | null
}

export interface Live {
  models: ModelCard[]
  text: string
  longest_text: number
  most_generated: number
  explains: boolean
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

export interface Mark {
  says: string
  text: string
  value: number
  low: number | null
  high: number | null
  baseline: number | null
  others: (number | null)[]
}

export interface ModelCard {
  name: string
  loaded: boolean
  shape: "encoder" | "decoder" | "encoder-decoder" | null
  longest: number | null
}

export interface Numbers {
  name: string
  label: string
  group: string
  about: string
  values: (number | null)[]
  low: (number | null)[] | null
  high: (number | null)[] | null
  baseline: (number | null)[] | null
  percent: boolean
  kind: "number"
}

export interface Output {
  title: string
  unit: "probability" | "cosine" | "value"
  rows: Score[]
}

export interface Page {
  title: string
  version: string
  report: Report | null
  live: Live | null
  view: ViewWire | null
}

export interface PartWire {
  stack: "encoder" | "decoder" | "cross" | "sees_earlier" | "sees_later" | "pool" | "document"
  query: number
  key: number
  layers: LayerWire[]
}

export interface Place {
  head: number
  x: number
  y: number
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

export interface Report {
  name: string
  verbs: VerbCard[]
  findings: FindingWire[]
  atlas: Atlas | null
  tables: TableWire[]
  figures: FigureWire[]
  sentences: LookWire[]
  explanations: ExplanationWire[]
}

export interface Score {
  label: string
  before: number
  after: number | null
}

export interface TableWire {
  name: string
  verb: string
  title: string
  row: string
  columns: Column[]
  rows: number
  data: string
  cut: boolean
}

export interface VerbCard {
  verb: string
  question: string
  model: string
  data: string
  started: string
  seconds: number | null
  finished: boolean
  facts: Fact[]
  notes: string[]
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

export interface Way {
  name: string
  title: string
  signed: boolean
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
