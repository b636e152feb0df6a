// What heads of a run are known to do, for whoever shows heads.
import type { Stack } from '../data/maps'

export interface Role {
  word: string
  colour: string
  /** A letter or two, since colour is never the only sign. */
  sign: string
}

/** The role of a head; null where none is known. */
export type RoleOf = (stack: Stack, layer: number, head: number) => Role | null

export const noRoles: RoleOf = () => null
