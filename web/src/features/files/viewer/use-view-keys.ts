import type { KeyboardEvent } from 'react'
import type { useDrafting } from './measure/use-drafting.ts'
import type { Measuring } from './measure/use-measuring.ts'
import type { Cine } from './use-cine.ts'
import { type HelpKey, STEP } from './view-tools.tsx'

type Keys = {
  measuring: Measuring
  drafting: ReturnType<typeof useDrafting>
  cine: Cine | null
  zoom: (by: number) => void
  reset: () => void
  openHelp: () => void
  /** Of this kind of image. */
  own: Record<string, () => void>
}

/** Everything without a mouse, while the image has the focus. Keys pressed elsewhere are left alone. */
export function handleViewKey(event: KeyboardEvent, keys: Keys): void {
  if (!(event.target instanceof Element) || !event.target.closest('[data-stage]')) return
  if (!isDone(event, keys)) return
  event.preventDefault()
  event.stopPropagation()
}

function isDone(event: KeyboardEvent, keys: Keys): boolean {
  const { measuring, drafting, cine, zoom, reset, openHelp, own } = keys
  if (event.ctrlKey || event.metaKey) {
    const isUndo = event.key.toLowerCase() === 'z'
    if (!isUndo && event.key.toLowerCase() !== 'y') return false
    measuring.change({ deed: isUndo && !event.shiftKey ? 'undo' : 'redo' })
    return true
  }
  // A handle of a mark is moved by the same arrows.
  const isHandle = event.target instanceof SVGElement
  if (isHandle && (event.key.startsWith('Arrow') || removing.has(event.key))) return false
  if (drafting.handleKey(event)) return true
  if (event.key === 'Escape' && measuring.kind !== null) {
    measuring.setKind(null)
    return true
  }
  const deeds: Record<string, (() => void) | undefined> = {
    ...own,
    ' ': cine?.play,
    ',': cine ? () => cine.step(-1) : undefined,
    '.': cine ? () => cine.step(1) : undefined,
    '+': () => zoom(STEP),
    '=': () => zoom(STEP),
    '-': () => zoom(1 / STEP),
    '0': reset,
    '?': openHelp,
  }
  const deed = deeds[event.key]
  deed?.()
  return deed !== undefined
}

const removing: ReadonlySet<string> = new Set(['Delete', 'Backspace'])

type Has = {
  slices: boolean
  /** Then ← and → lead through points in time. */
  time: boolean
  cine: boolean
  planes: boolean
}

/** The same, told. */
export function helpKeys(has: Has): HelpKey[] {
  return [
    ...(has.slices ? [{ keys: has.time ? '↑ ↓' : '← ↑ → ↓', deed: 'slice' }] : []),
    ...(has.time ? [{ keys: '← →', deed: 'time' }] : []),
    ...(has.cine
      ? [
          { keys: '␣', deed: 'play' },
          { keys: ', .', deed: 'step' },
        ]
      : []),
    { keys: '+ − 0', deed: 'zoom' },
    { keys: '← ↑ → ↓', deed: 'cross' },
    { keys: 'Enter', deed: 'set' },
    { keys: 'Backspace', deed: 'back' },
    ...(has.planes ? [{ keys: 'V', deed: 'plane' }] : []),
    { keys: 'Tab', deed: 'handle' },
    { keys: 'Delete', deed: 'remove' },
    { keys: 'Esc', deed: 'leave' },
    { keys: 'Ctrl Z / Ctrl Y', deed: 'undo' },
    { keys: '?', deed: 'help' },
  ]
}
