/** The editor by keyboard alone: letters choose tools, digits classes, arrows move a cursor that Space puts down. */
import { useEffect } from 'react'
import { toScreen } from '../canvas/view.ts'
import type { Bench } from '../tools/bench.ts'
import type { ToolName } from '../tools/desk.ts'
import { pressAt } from '../tools/gestures.ts'
import { toolFacts } from '../tools/tools.ts'
import {
  accept,
  cancel,
  chooseClass,
  chooseTool,
  perform,
  redo,
  remove,
  resize,
  showAll,
  undo,
  zoom,
} from './commands.ts'

type Steps = { before: () => void; next: () => void; help: () => void; tools: readonly ToolName[] }

export function useKeys(bench: Bench, { before, next, help, tools }: Steps): void {
  useEffect(() => {
    const cursor = makeCursor(bench)
    const byLetter = new Map(tools.map((name) => [toolFacts[name].letter, name]))
    const plain: Record<string, () => void> = {
      Enter: () => accept(bench),
      Escape: () => (cursor.isDown() ? cursor.cancel() : cancel(bench)),
      Delete: () => remove(bench),
      Backspace: () => remove(bench),
      '[': () => resize(bench, -1),
      ']': () => resize(bench, 1),
      '+': () => zoom(bench, 1.25),
      '=': () => zoom(bench, 1.25),
      '-': () => zoom(bench, 0.8),
      '0': () => showAll(bench),
      ' ': () => cursor.press(),
      '?': help,
      PageUp: () => along(bench, -1),
      PageDown: () => along(bench, 1),
      '/': () => bench.source.rate && bench.desk.setState(({ isPlaying }) => ({ isPlaying: !isPlaying })),
      d: () => void perform(bench, 'continue'),
      ',': before,
      '.': next,
    }
    const handle = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey || !isFree(event.target)) return
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
      if (event.ctrlKey || event.metaKey) {
        const deed = key === 'z' ? (event.shiftKey ? redo : undo) : key === 'y' ? redo : null
        if (!deed) return
        event.preventDefault()
        void deed(bench)
        return
      }
      const isOnButton =
        event.target instanceof Element && event.target.closest('button, a, [role="slider"]') !== null
      if (isOnButton && (key === ' ' || key === 'Enter' || key.startsWith('Arrow'))) return
      const arrow = arrows[key]
      const digit = bench.classes.find((one) => one.key !== null && String(one.key) === key)
      const tool = byLetter.get(key)
      const deed =
        (arrow && (() => cursor.move(arrow, event.shiftKey))) ??
        (digit && (() => chooseClass(bench, digit.id))) ??
        (tool && (() => chooseTool(bench, tool))) ??
        plain[key]
      if (!deed) return
      event.preventDefault()
      deed()
    }
    window.addEventListener('keydown', handle)
    return () => window.removeEventListener('keydown', handle)
  }, [bench, before, next, help, tools])
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** CSS pixels of one press, and with Shift. */
const STEP = { slow: 4, fast: 32 }

function makeCursor(bench: Bench) {
  let isDown = false
  const here = () => {
    const pane = bench.at?.pane ?? bench.panes[0]
    if (!pane) return null
    if (bench.at) return bench.at
    return pressAt(pane, { x: pane.area.width / 2, y: pane.area.height / 2 })
  }
  return {
    isDown: () => isDown,
    move([dx, dy]: readonly [number, number], isFast: boolean) {
      const from = here()
      if (!from) return
      const { pane } = from
      const by = (isFast ? STEP.fast : STEP.slow) * pane.ratio
      const at = toScreen(pane.view, pane.plane, from)
      const within = (value: number, most: number) => Math.min(Math.max(value, 0), most)
      const to = { x: within(at.x + dx * by, pane.area.width), y: within(at.y + dy * by, pane.area.height) }
      bench.at = pressAt(pane, to)
      if (isDown) bench.tool.drag?.(bench, [bench.at])
      else bench.tool.hover?.(bench, bench.at)
      pane.renew('above')
    },
    press() {
      const at = here()
      if (!at) return
      bench.at = at
      if (isDown) bench.tool.up?.(bench, at)
      else {
        bench.tool.down?.(bench, at)
        if (!bench.tool.isStroke) bench.tool.up?.(bench, at)
      }
      isDown = bench.tool.isStroke === true && !isDown
      at.pane.renew('above')
    },
    cancel() {
      isDown = false
      bench.tool.cancel?.(bench)
    },
  }
}

function along(bench: Bench, by: number): void {
  const axis = bench.at?.pane.plane.axis ?? 2
  bench.goTo(axis, bench.desk.getState().place[axis] + by)
}

/** Nobody types, and no dialog or list is open. */
function isFree(target: EventTarget | null): boolean {
  const used =
    'input:not([type="checkbox"]):not([type="radio"]), textarea, select, [role="dialog"], [role="listbox"], [role="menu"]'
  return !(target instanceof Element) || target.closest(used) === null
}
