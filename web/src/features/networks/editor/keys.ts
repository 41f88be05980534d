/** Every command by its name, and the keys that call it. */
import type { Item } from '../canvas/things.ts'
import type { Direction } from '../canvas/walk.ts'
import { firstOf, walk } from '../canvas/walk.ts'
import { align, distribute, release } from './aligning.ts'
import { dissolve, layOut, ownCopy, toggleOpen, turn } from './blocks.ts'
import { chosenIn, isNode, onlyOne } from './chosen.ts'
import { copyByMenu, pasteByMenu } from './clipboard.ts'
import {
  duplicate,
  focusOn,
  redo,
  refuseReadOnly,
  remove,
  repeat,
  selectAll,
  toggleBypass,
  undo,
} from './commands.ts'
import { addComment, isComment, removeComments } from './comments.ts'
import { aimFurther, connectAimed, connectByKeys, disconnect, stopConnecting } from './connecting.ts'
import { refuse, tell } from './tell.ts'
import type { Workbench } from './workbench.ts'

interface Command {
  /** As `KeyboardEvent.key` in lower case, with `ctrl+` (also ⌘) and `shift+`; the first is shown. */
  keys: readonly string[]
  run: (bench: Workbench) => void
  /** Works wherever the focus is, also in fields. */
  isGlobal?: boolean
}

const commands = {
  up: { keys: ['arrowup'], run: (bench) => go(bench, 'up') },
  down: { keys: ['arrowdown'], run: (bench) => go(bench, 'down') },
  left: { keys: ['arrowleft'], run: (bench) => go(bench, 'left') },
  right: { keys: ['arrowright'], run: (bench) => go(bench, 'right') },
  extendUp: { keys: ['shift+arrowup'], run: (bench) => go(bench, 'up', true) },
  extendDown: { keys: ['shift+arrowdown'], run: (bench) => go(bench, 'down', true) },
  extendLeft: { keys: ['shift+arrowleft'], run: (bench) => go(bench, 'left', true) },
  extendRight: { keys: ['shift+arrowright'], run: (bench) => go(bench, 'right', true) },
  settings: { keys: ['enter'], run: enter },
  insert: { keys: ['/', 'tab'], run: openQuick },
  connect: { keys: ['c'], run: connectByKeys },
  disconnect: { keys: ['shift+c'], run: disconnectChosen },
  remove: { keys: ['delete', 'backspace'], run: removeChosen },
  duplicate: { keys: ['ctrl+d'], run: duplicate },
  group: { keys: ['ctrl+g'], run: (bench) => ask(bench, 'group') },
  dissolve: { keys: ['ctrl+shift+g'], run: dissolve },
  open: { keys: [' '], run: (bench) => toggleOpen(bench) },
  ownCopy: { keys: ['shift+e'], run: (bench) => ownCopy(bench) },
  bypass: { keys: ['o'], run: toggleBypass },
  more: { keys: ['r'], run: (bench) => repeat(bench, 1) },
  fewer: { keys: ['shift+r'], run: (bench) => repeat(bench, -1) },
  swap: { keys: ['s'], run: (bench) => ask(bench, 'swap') },
  rename: { keys: ['f2'], run: (bench) => ask(bench, 'rename') },
  comment: { keys: ['n'], run: (bench) => addComment(bench) },
  find: { keys: ['ctrl+f'], run: ({ screen }) => screen.getState().set({ isFinding: true }) },
  fit: { keys: ['f'], run: ({ view }) => view?.fit() },
  layOut: { keys: ['l'], run: layOut },
  turn: { keys: ['shift+d'], run: turn },
  release: { keys: ['shift+l'], run: release },
  alignLeft: { keys: ['ctrl+shift+arrowleft'], run: (bench) => align(bench, 'left') },
  alignRight: { keys: ['ctrl+shift+arrowright'], run: (bench) => align(bench, 'right') },
  alignTop: { keys: ['ctrl+shift+arrowup'], run: (bench) => align(bench, 'top') },
  alignBottom: { keys: ['ctrl+shift+arrowdown'], run: (bench) => align(bench, 'bottom') },
  alignCentre: { keys: ['shift+v'], run: (bench) => align(bench, 'centre') },
  alignMiddle: { keys: ['shift+h'], run: (bench) => align(bench, 'middle') },
  distributeAcross: { keys: ['shift+x'], run: (bench) => distribute(bench, 'across') },
  distributeDown: { keys: ['shift+y'], run: (bench) => distribute(bench, 'down') },
  selectAll: { keys: ['ctrl+a'], run: selectAll },
  undo: { keys: ['ctrl+z'], run: undo },
  redo: { keys: ['ctrl+shift+z', 'ctrl+y'], run: redo },
  copy: { keys: [], run: (bench) => void copyByMenu(bench, false) },
  cut: { keys: [], run: (bench) => void copyByMenu(bench, true) },
  paste: { keys: [], run: (bench) => void pasteByMenu(bench) },
  code: {
    keys: ['ctrl+/'],
    isGlobal: true,
    run: ({ screen }) => screen.getState().set({ isCodeOpen: !screen.getState().isCodeOpen }),
  },
  help: { keys: ['?'], run: (bench) => ask(bench, 'help') },
  leave: { keys: ['escape'], run: leave },
} satisfies Record<string, Command>

export type CommandName = keyof typeof commands

export function run(bench: Workbench, name: CommandName): void {
  commands[name].run(bench)
}

/** In the order of the help; the browser's own keys for the clipboard are told there too. */
export const shownKeys: readonly { name: CommandName | 'save'; keys: string }[] = [
  ...namesOf(commands).flatMap((name) => {
    const [keys] = commands[name].keys
    return keys === undefined ? [] : [{ name, keys }]
  }),
  { name: 'copy', keys: 'ctrl+c' },
  { name: 'cut', keys: 'ctrl+x' },
  { name: 'paste', keys: 'ctrl+v' },
  { name: 'save', keys: 'ctrl+s' },
]

const byKeys = new Map(namesOf(commands).flatMap((name) => commands[name].keys.map((keys) => [keys, name])))

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** null: nothing of ours. */
export function commandFor(event: Pressed): { name: CommandName; isGlobal: boolean } | null {
  if (event.altKey) return null
  const isCtrl = event.ctrlKey || event.metaKey
  // `?` and `/` need Shift on many keyboards.
  const isSign =
    event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase() && event.key !== ' '
  const keys = `${isCtrl ? 'ctrl+' : ''}${event.shiftKey && !isSign ? 'shift+' : ''}${event.key.toLowerCase()}`
  const name = byKeys.get(keys)
  if (name === undefined) return null
  const command: Command = commands[name]
  return { name, isGlobal: command.isGlobal ?? false }
}

/** While one connects by keyboard, arrows choose ports. */
function go(bench: Workbench, direction: Direction, isMore = false): void {
  const { aim, active } = bench.screen.getState()
  if (aim !== null) {
    aimFurther(bench, direction)
    return
  }
  const { selection } = bench.store.getState()
  const from = active !== null && bench.scene.byPath.has(active) ? active : ([...selection].at(-1) ?? null)
  const next = from === null ? firstOf(bench.scene) : walk(bench.scene, from, direction)
  if (next === null) return
  if (!isMore) {
    focusOn(bench, [next])
    return
  }
  focusOn(bench, [...new Set([...selection].filter((path) => path !== next)), next])
  tell(bench, 'selected', { count: bench.store.getState().selection.size })
}

function enter(bench: Workbench): void {
  if (bench.screen.getState().aim !== null) {
    connectAimed(bench)
    return
  }
  bench.screen.getState().openTab('settings', 'field')
}

/** Comments are no part of the network: they go beside its layers. */
function removeChosen(bench: Workbench): void {
  const { selection } = bench.store.getState()
  const hasOthers = [...selection].some((id) => !isComment(id))
  if (removeComments(bench, selection) === 0 || hasOthers) remove(bench)
}

function openQuick(bench: Workbench): void {
  bench.screen.getState().set({ quick: { parent: onlyOne(bench)?.parent ?? '', at: null, from: null } })
}

/** The last connected input of what is chosen. */
function disconnectChosen(bench: Workbench): void {
  const item = onlyOne(bench)
  const slot = item?.slots.findLastIndex(({ ref }) => ref !== null) ?? -1
  if (item === null || slot < 0) {
    refuse(bench, 'nothingConnected')
    return
  }
  disconnect(bench, { target: item.path, slot })
}

/** Opens a small dialog about what is chosen, where that makes sense. */
function ask(bench: Workbench, dialog: 'help' | 'group' | 'rename' | 'swap'): void {
  const { screen } = bench
  if (dialog === 'help') {
    screen.getState().set({ dialog })
    return
  }
  // Inputs, and outputs of a block, have names too; that of a head is its own.
  const hasName = (item: Item) => isNode(item) || (dialog === 'rename' && item.kind !== 'head')
  const nodes = chosenIn(bench).flatMap(({ items }) => items.filter(hasName))
  if (nodes.length === 0) {
    refuseReadOnly(bench)
    return
  }
  if (dialog !== 'group' && nodes.length > 1) {
    refuse(bench, 'onlyOne')
    return
  }
  screen.getState().set({ dialog })
}

function leave(bench: Workbench): void {
  const { fits, isFinding } = bench.screen.getState()
  if (fits !== null) {
    stopConnecting(bench)
    return
  }
  if (isFinding) {
    bench.screen.getState().set({ isFinding: false })
    return
  }
  bench.store.getState().select([])
}

function namesOf<T extends object>(table: T): (keyof T)[] {
  // Object.keys forgets which keys the table has.
  return Object.keys(table) as (keyof T)[]
}
