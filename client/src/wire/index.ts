// Written by `python -m client.wire`; do not edit.
export const KINDS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#4B3B8F", "#882255", "#117733", "#7A4419", "#44AA99"]
export type * from './look'
export type * from './report'
export type * from './live'
export type * from './wire'
