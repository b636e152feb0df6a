// Written by `python -m client.wire`; do not edit.
import type { ExplanationWire, HeadName, LinkedWire, LookWire } from './look'

export interface Atlas {
  heads: HeadName[]
  measures: (Numbers | Categories)[]
  places: Place[]
  cards: HeadCard[]
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
  along: string
  kind: "category"
}

export interface Column {
  name: string
  kind: "number" | "text" | "truth"
  says: string
  unit: string
  better: "higher" | "lower" | null
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
  model: string
}

export interface Level {
  word: string
  colour: string
  whole: string | null
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
  along: string
  kind: "number"
}

export interface Place {
  head: number
  x: number
  y: number
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
  explained_by: string[]
  verdicts: VerdictWire[]
  linked: LinkedWire[]
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

export interface VerdictWire {
  verb: string
  table: string
  row: number
  claim: string
  holds: boolean | null
  verdict: string
  means: string
  why: string
  mark: Mark | null
}
