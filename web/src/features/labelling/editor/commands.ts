/** What keys and buttons do, by name. */

import type { Mark } from '@neuroloom/contract/labelling/classes'
import i18next from 'i18next'
import { zoomed } from '../canvas/view.ts'
import { continued, copied, tweened } from '../tools/along.ts'
import { between, type CommandName, command, commandNames, take } from '../tools/assisting.ts'
import type { Bench } from '../tools/bench.ts'
import { stepSize, type ToolName } from '../tools/desk.ts'
import { removeChosen } from '../tools/making.ts'

/** Tools that need a word on how they are used. */
export const hints = ['cross', 'wire', 'superpixels'] as const

export function chooseTool(bench: Bench, tool: ToolName): void {
  if (bench.desk.getState().tool === tool) return
  bench.tool.cancel?.(bench)
  bench.desk.setState({ tool, proposal: null })
  const told = i18next.t('labelling:told.tool', { tool: i18next.t(`labelling:tool.${tool}`) })
  const hinted = hints.find((one) => one === tool)
  tell(bench, hinted ? `${told}. ${i18next.t(`labelling:hint.${hinted}`)}` : told)
  if (bench.at) bench.tool.hover?.(bench, bench.at)
  bench.renewAbove()
}

export function chooseClass(bench: Bench, id: string): void {
  bench.desk.setState({ classId: id })
  tell(bench, i18next.t('labelling:told.class', { name: bench.class?.name ?? '' }))
  bench.renewAbove()
}

export async function undo(bench: Bench): Promise<void> {
  if (!bench.isWritable) return
  const isDone = await bench.journal.undo().catch(() => false)
  tell(bench, i18next.t(isDone ? 'labelling:told.undone' : 'labelling:told.nothingToUndo'))
}

export function redo(bench: Bench): void {
  if (bench.isWritable && bench.journal.redo()) tell(bench, i18next.t('labelling:told.redone'))
}

export function resize(bench: Bench, sign: 1 | -1): void {
  stepSize(bench.desk, sign)
  bench.renewAbove()
}

export function zoom(bench: Bench, by: number): void {
  for (const pane of bench.panes) {
    const at = { x: pane.area.width / 2, y: pane.area.height / 2 }
    pane.setView(zoomed(pane.view, pane.plane, { by, at, area: pane.area }))
  }
}

export const showAll = (bench: Bench): void => {
  for (const pane of bench.panes) pane.fit()
}

/** Enter: a proposal, else what the tool has begun. */
export function accept(bench: Bench): void {
  if (take(bench)) tell(bench, i18next.t('labelling:told.taken'))
  else bench.tool.accept?.(bench)
  bench.renewAbove()
}

export function cancel(bench: Bench): void {
  bench.showEarlier(null, null)
  bench.tool.cancel?.(bench)
  bench.desk.setState({ proposal: null })
  bench.renewAbove()
}

export function remove(bench: Bench): void {
  if (!bench.tool.back?.(bench)) removeChosen(bench)
  bench.renewAbove()
}

const along = { between, copy: copied, continue: continued, tween: tweened }
export type Command = CommandName | keyof typeof along

/** Those that a set's marks can have, of one plane and across the slices or frames. */
export function commandsOf(marks: readonly Mark[], isDeep: boolean): Command[] {
  const hasThings = marks.some((mark) => mark !== 'tags' && mark !== 'pixels')
  return [
    ...(marks.includes('pixels') ? commandNames : []),
    ...(isDeep && marks.includes('pixels') ? (['copy', 'between'] as const) : []),
    ...(isDeep && hasThings ? (['continue', 'tween'] as const) : []),
  ]
}

export async function perform(bench: Bench, name: Command): Promise<void> {
  const isAlong = (one: Command): one is keyof typeof along => one in along
  const work = async () => (isAlong(name) ? along[name](bench) : command(bench, name))
  const isAny = await work().catch(() => false)
  const done = name === 'continue' ? 'continued' : 'proposed'
  const nothing = name === 'continue' || name === 'tween' ? 'chooseFirst' : 'noChange'
  tell(bench, i18next.t(`labelling:told.${isAny ? done : nothing}`))
}

/** Read aloud, and shown below the image. */
export const tell = (bench: Bench, told: string): void => bench.desk.setState({ told })
