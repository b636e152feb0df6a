// What a run knows of the heads of a model.
import { noRoles, type Role, type RoleOf } from '../attention/roles'
import { rolesOf, telling } from '../report/measures'
import { levelColour, signs } from '../report/palette'
import type { Theme } from '../theme.svelte'
import type { HeadName, Report } from '../wire'

/** Whether a run is about a model. */
export function isAbout(report: Report | null, model: string | undefined): boolean {
  return report?.verbs.some((card) => card.model.split(', ').includes(model ?? '')) ?? false
}

/** The roles that a run gave to heads. */
export function rolesIn(report: Report | null, theme: Theme): RoleOf {
  const roles = report?.atlas && rolesOf(report.atlas)
  if (!report?.atlas || !roles) return noRoles
  const short = signs(roles.levels)
  const known = new Map<string, Role>()
  report.atlas.heads.forEach(({ stack, layer, index }, at) => {
    const word = roles.values[at] ?? null
    if (word !== null) known.set(`${stack} ${layer} ${index}`, { word, colour: levelColour(roles, word, theme), sign: short.get(word) ?? '' })
  })
  return (stack, layer, head) => known.get(`${stack} ${layer} ${head}`) ?? null
}

/** The head of a run that has most to tell, if it is of the model that is asked first. */
export function tellingHead(report: Report | null, model: string | undefined): HeadName | null {
  if (!report?.atlas || report.atlas.heads.length === 0 || !isAbout(report, model)) return null
  const name = telling(report.atlas)
  return report.atlas.heads.find((head) => head.name === name) ?? null
}
