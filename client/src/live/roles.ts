// What a run knows of the heads of a model.
import type { Role, RoleOf } from '../attention/roles'
import { rolesOf, telling } from '../report/measures'
import { levelColour, signs } from '../report/palette'
import type { Theme } from '../theme.svelte'
import type { HeadName, Report } from '../wire'

/** The models to whose heads a run gave roles. */
export function modelsWithRoles(report: Report | null): string[] {
  return [...new Set((report?.atlas?.cards ?? []).flatMap(({ role, model }) => (role !== null && model !== '' ? [model] : [])))]
}

/** The roles that a run gave to heads of a model. */
export function rolesIn(report: Report | null, model: string, theme: Theme): RoleOf {
  const known = new Map<string, Role>()
  const { atlas } = report ?? {}
  const roles = atlas && rolesOf(atlas)
  const short = signs(roles?.levels ?? [])
  atlas?.heads.forEach(({ stack, layer, index }, at) => {
    const word = roles?.values[at] ?? null
    if (!roles || word === null || atlas.cards[at]?.model !== model) return
    known.set(`${stack} ${layer} ${index}`, { word, colour: levelColour(roles, word, theme), sign: short.get(word) ?? '' })
  })
  return (stack, layer, head) => known.get(`${stack} ${layer} ${head}`) ?? null
}

/** The head of a run that has most to tell, if it is of this model. */
export function tellingHead(report: Report | null, model: string): HeadName | null {
  if (!report?.atlas || report.atlas.heads.length === 0) return null
  const name = telling(report.atlas)
  const at = report.atlas.heads.findIndex((head) => head.name === name)
  return report.atlas.cards[at]?.model === model ? report.atlas.heads[at]! : null
}
